package dev.holdfast.broker.dashboard;

import dev.holdfast.broker.dashboard.page.Access;
import dev.holdfast.broker.dashboard.page.Person;
import dev.holdfast.broker.dashboard.page.Section;
import dev.holdfast.broker.dashboard.page.Sheet;
import dev.holdfast.broker.dashboard.part.When;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frame around every page.
 *
 * @param counts shown beside the sidebar's entries
 * @param calling how many things need a person
 * @param token the secret that the page's actions must show
 * @param fresh the last event that the page can know of
 */
public record Shell(
        Section section,
        Sheet sheet,
        @Nullable Person person,
        Access access,
        String token,
        Map<Section, Long> counts,
        long calling,
        String about,
        long fresh,
        When.Now now) {
    public List<Section> sections() {
        return List.of(Section.values());
    }

    public String count(Section of) {
        Long number = counts.get(of);
        if (number == null) {
            return "";
        }
        return of == Section.TASKS && number == SidebarCounts.MAX_TASKS
                ? number - 1 + "+"
                : String.format("%,d", number);
    }

    /** The name of a section, and what its number counts. */
    public String title(Section of) {
        String number = count(of);
        return of.counted().isEmpty() || number.isEmpty()
                ? of.title()
                : of.title() + ": " + number + " " + of.counted();
    }

    /** Whether the visitor may call a verb; pages leave out what the visitor may not do. */
    public boolean may(String verb) {
        return access.may(verb);
    }

    public String topics() {
        return String.join(",", sheet.topics());
    }
}
