package dev.holdfast.broker.config;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Optional;

/** A block of addresses with a common prefix, such as {@code 10.0.0.0/8}, or a single address, such as {@code ::1}. */
public record CidrBlock(InetAddress address, int bits) {
    private static final int ONE_MACHINE = 64;

    /**
     * Empty when the text is neither an address nor a block. Host names are not accepted: what they resolve to may
     * change.
     */
    public static Optional<CidrBlock> parse(String text) {
        int slash = text.indexOf('/');
        try {
            InetAddress address = InetAddress.ofLiteral(
                    slash < 0 ? text.strip() : text.substring(0, slash).strip());
            int max = address.getAddress().length * Byte.SIZE;
            int bits =
                    slash < 0 ? max : Integer.parseInt(text.substring(slash + 1).strip());
            return bits < 0 || bits > max ? Optional.empty() : Optional.of(new CidrBlock(address, bits));
        } catch (IllegalArgumentException notOne) {
            return Optional.empty();
        }
    }

    public boolean contains(InetAddress other) {
        byte[] own = address.getAddress();
        byte[] given = other.getAddress();
        return own.length == given.length && Arrays.equals(cut(own, bits), cut(given, bits));
    }

    /**
     * The address that stands for all those of one machine: itself or, in IPv6, that of its network, all of which a
     * single machine can use.
     */
    public static InetAddress machine(InetAddress address) {
        try {
            return address instanceof Inet6Address
                    ? InetAddress.getByAddress(cut(address.getAddress(), ONE_MACHINE))
                    : address;
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // only for a wrong number of bytes
        }
    }

    /** Keeps the first bits and zeroes the rest. */
    private static byte[] cut(byte[] address, int bits) {
        byte[] cut = address.clone();
        for (int i = 0; i < cut.length; i++) {
            int left = Math.clamp(bits - (long) i * Byte.SIZE, 0, Byte.SIZE);
            cut[i] &= (byte) (0xff << (Byte.SIZE - left));
        }
        return cut;
    }
}
