package dev.holdfast.broker.dashboard.settings;

import java.util.List;

/** @param changed whether only what was set is shown, not the defaults */
public record SettingsView(
        boolean changed,
        long given,
        String search,
        List<Group> groups,
        List<Check> health,
        List<Broker> brokers,
        List<Fact> facts) {
    public record Group(String name, List<Value> values) {
        /** As a heading. */
        public String title() {
            return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('_', ' ');
        }
    }

    /**
     * @param inWords the value is described, not given
     * @param source where it was set; empty: it is the default
     */
    public record Value(String path, String meaning, String value, boolean inWords, String source) {}

    /** @param look ok, brass for trouble, or dim for what is off */
    public record Check(String name, String says, String look) {
        public String icon() {
            return look.equals("ok") ? "check" : look.equals("dim") ? "s-withdrawn" : "alert";
        }
    }

    public record Broker(String name, String says) {}

    public record Fact(String name, String value) {}
}
