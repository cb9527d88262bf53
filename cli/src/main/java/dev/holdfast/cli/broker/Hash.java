package dev.holdfast.cli.broker;

/**
 * Turns arbitrary text into file names. Two texts may have the same one, though not by accident: what must not be mistaken for
 * another's is to be stored with its text. Not a digest of Java's security providers, which take 4 ms to load.
 */
final class Hash {
    /** FNV-1a, 64 bits. */
    private static final long BASIS = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;

    private Hash() {}

    static String of(String text) {
        long hash = BASIS;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * PRIME;
        }
        return Long.toHexString(hash);
    }
}
