package dev.holdfast.broker.config;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;

/** Addresses that begin alike, such as {@code 10.0.0.0/8}; a single one, such as {@code ::1}, is a network of its own. */
public record CidrBlock(InetAddress address, int bits) {
    /** Empty when it is not written as an address or a network is. A name is none: whom it leads to may change. */
    public static Optional<CidrBlock> parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(
                    slash < 0 ? text.strip() : text.substring(0, slash).strip());
            int most = address.getAddress().length * Byte.SIZE;
            int bits = slash < 0
                    ? most
                    : Integer.parseInt(text.substring(slash + 1).strip());
            return bits < 0 || bits > most ? Optional.empty() : Optional.of(new CidrBlock(address, bits));
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }

    public boolean contains(InetAddress other) {
        byte[] own = address.getAddress();
        byte[] given = other.getAddress();
        return own.length == given.length && Arrays.equals(cut(own, bits), cut(given, bits));
    }

    /** Its first bits; the others are zero. */
    public static byte[] cut(byte[] address, int bits) {
        byte[] cut = address.clone();
        for (int i = 0; i < cut.length; i++) {
            int left = Math.clamp(bits - (long) i * Byte.SIZE, 0, Byte.SIZE);
            cut[i] &= (byte) (0xff << (Byte.SIZE - left));
        }
        return cut;
    }
}
