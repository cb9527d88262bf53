package dev.holdfast.git;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Parses the output of {@code git cat-file --batch}: for each id a line of id, type and size, the content, and a
 * newline.
 */
final class BatchOutput {
    private final byte[] said;
    private int at;

    private BatchOutput(byte[] said) {
        this.said = said;
    }

    static List<Optional<byte[]>> blobs(byte[] said, int count) {
        BatchOutput batch = new BatchOutput(said);
        List<Optional<byte[]>> blobs = new ArrayList<>(count);
        for (int read = 0; read < count; read++) {
            blobs.add(batch.blob());
        }
        return blobs;
    }

    private Optional<byte[]> blob() {
        String[] words = line().split(" ");
        if (words.length != 3) {
            return Optional.empty(); // missing, or ambiguous
        }
        int from = at;
        int end = from + Integer.parseInt(words[2]);
        at = end + 1;
        return words[1].equals("blob") ? Optional.of(Arrays.copyOfRange(said, from, end)) : Optional.empty();
    }

    private String line() {
        int end = at;
        while (said[end] != '\n') {
            end++;
        }
        String line = new String(said, at, end - at, StandardCharsets.US_ASCII);
        at = end + 1;
        return line;
    }
}
