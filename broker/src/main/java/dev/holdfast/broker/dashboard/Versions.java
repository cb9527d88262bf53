package dev.holdfast.broker.dashboard;

import dev.holdfast.store.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says of every region and every row of a page which version of it this is, so that an open page can tell what has changed without
 * comparing, or even reading, the rest. What only moves with the clock is no change: pages move it themselves.
 */
final class Versions {
    private static final Pattern PLACE = Pattern.compile(" data-(region|row data-key)=\"");
    private static final Pattern AGE = Pattern.compile("(<time [^<>]*data-(?:ago|left)>)[^<]*");
    private static final Pattern LEASE =
            Pattern.compile("<svg class=\"lease[^<>]*( data-from=\"[0-9]+\" data-until=\"[0-9]+\">).*?</svg>");
    private static final int DIGITS = 16;

    private Versions() {}

    /**
     * @param start of its first tag
     * @param at where its first tag says what it is
     */
    private record Place(int start, int at, boolean row) {}

    /** The same page; each region and row says its version before its name. */
    static String in(String html) {
        List<Place> places = places(html);
        StringBuilder out = new StringBuilder(html.length() + places.size() * (DIGITS + 10));
        int done = 0;
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            int end = place.row() ? endOfRow(html, place) : endOfRegion(html, places, i);
            out.append(html, done, place.at())
                    .append(" data-v=\"")
                    .append(of(html.substring(place.start(), end)))
                    .append('"');
            done = place.at();
        }
        return out.append(html, done, html.length()).toString();
    }

    private static List<Place> places(String html) {
        List<Place> places = new ArrayList<>();
        Matcher found = PLACE.matcher(html);
        while (found.find()) {
            int start = html.lastIndexOf('<', found.start());
            if (html.indexOf('>', start) > found.start()) { // else somebody has written it into a text
                places.add(new Place(start, found.start(), !found.group(1).equals("region")));
            }
        }
        return places;
    }

    /** Rows are not in each other. */
    private static int endOfRow(String html, Place row) {
        String tag = html.substring(row.start() + 1, html.indexOf(' ', row.start()));
        int end = html.indexOf("</" + tag + ">", row.at());
        return end < 0 ? html.length() : end;
    }

    /** Regions are not in each other either: a region's text goes on to the next one, if not less far. */
    private static int endOfRegion(String html, List<Place> places, int region) {
        for (int next = region + 1; next < places.size(); next++) {
            if (!places.get(next).row()) {
                return places.get(next).start();
            }
        }
        return html.length();
    }

    private static String of(String part) {
        String still = LEASE.matcher(AGE.matcher(part).replaceAll("$1")).replaceAll("$1");
        return Sha256.hex(still).substring(0, DIGITS);
    }
}
