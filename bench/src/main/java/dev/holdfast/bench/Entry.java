package dev.holdfast.bench;

/** Something that is measured once in every round. */
record Entry(String name, String unit, Measurement measurement) {
    @FunctionalInterface
    interface Measurement {
        Outcome measure() throws Exception;
    }
}
