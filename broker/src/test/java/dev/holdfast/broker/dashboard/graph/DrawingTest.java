package dev.holdfast.broker.dashboard.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class DrawingTest {
    private static Node node(String id, boolean done) {
        return new Node(id, id, "", done ? "ok" : "", "s-ready", "/" + id, null, done);
    }

    private static Drawing drawn(List<Node> nodes, Link... links) {
        return Drawing.of(nodes, List.of(links), "/all");
    }

    @Test
    void everything_stands_behind_what_comes_before_it() {
        Drawing drawing = drawn(
                List.of(node("c", false), node("a", false), node("b", false), node("d", false)),
                new Link("a", "b"),
                new Link("b", "c"),
                new Link("a", "c"),
                new Link("a", "d"));

        Function<String, Drawing.Placed> at = id -> drawing.nodes().stream()
                .filter(one -> one.node().id().equals(id))
                .findFirst()
                .orElseThrow();
        assertThat(at.apply("a").x()).isLessThan(at.apply("b").x());
        assertThat(at.apply("b").x()).isLessThan(at.apply("c").x());
        assertThat(at.apply("d").x()).isEqualTo(at.apply("b").x());
        assertThat(Math.abs(at.apply("d").y() - at.apply("b").y())).isGreaterThanOrEqualTo(54);
        assertThat(drawing.lines()).hasSize(4);
    }

    @Test
    void the_longest_chain_that_is_not_done_is_what_the_end_waits_for() {
        Drawing drawing = drawn(
                List.of(node("a", true), node("b", false), node("c", false), node("x", false), node("end", false)),
                new Link("a", "b"),
                new Link("b", "c"),
                new Link("c", "end"),
                new Link("x", "end"));

        assertThat(drawing.critical().chain()).extracting(Node::id).containsExactly("b", "c", "end");
        assertThat(drawing.lines())
                .filteredOn(line -> line.look().equals("crit"))
                .hasSize(2);
        assertThat(drawing.lines())
                .filteredOn(line -> line.look().equals("done"))
                .hasSize(1);
    }

    @Test
    void of_two_chains_that_are_equally_long_neither_has_slack() {
        Drawing drawing = drawn(
                List.of(node("a", false), node("b", false), node("c", false), node("x", false), node("end", false)),
                new Link("a", "b"),
                new Link("a", "c"),
                new Link("b", "end"),
                new Link("c", "end"),
                new Link("x", "end"));

        assertThat(drawing.critical().chain()).hasSize(3);
        assertThat(drawing.lines())
                .filteredOn(line -> line.look().equals("crit"))
                .hasSize(4);
        assertThat(drawing.lines()).filteredOn(line -> line.look().isEmpty()).hasSize(1);
    }

    @Test
    void nothing_is_met_by_what_was_cancelled_or_for_it() {
        Node left = new Node("b", "b", "", "off", "s-withdrawn", "/b", null, true);

        Drawing drawing =
                drawn(List.of(node("a", true), left, node("c", true)), new Link("a", "b"), new Link("b", "c"));

        assertThat(drawing.lines()).extracting(Drawing.Line::look).containsOnly("");
    }

    @Test
    void a_large_graph_is_folded_and_keeps_what_the_end_waits_for() {
        List<Node> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        nodes.add(node("end", false));
        for (int i = 0; i < 500; i++) {
            nodes.add(node("n" + i, i < 100));
            links.add(new Link("n" + i, "end"));
        }
        links.add(new Link("n400", "n401"));
        Drawing drawing = Drawing.of(nodes, links, "/all");

        assertThat(drawing.nodes()).hasSizeLessThanOrEqualTo(30);
        assertThat(drawing.folded()).isEqualTo(501);
        assertThat(drawing.nodes()).extracting(one -> one.node().id()).contains("n400", "n401", "end");
        assertThat(drawing.nodes()).extracting(one -> one.node().title()).contains("100 similar");
    }

    @Test
    void a_long_chain_shows_its_beginning_and_its_end() {
        List<Node> nodes = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            nodes.add(node("n" + i, false));
            if (i > 0) {
                links.add(new Link("n" + (i - 1), "n" + i));
            }
        }

        Drawing drawing = Drawing.of(nodes, links, "/all");

        assertThat(drawing.nodes()).hasSizeLessThanOrEqualTo(30);
        assertThat(drawing.nodes()).extracting(one -> one.node().title()).contains("n0", "n199", "190 more in between");
        assertThat(drawing.critical().chain()).hasSize(200);
        assertThat(drawing.lines()).extracting(Drawing.Line::look).containsOnly("crit"); // also what is folded
    }

    @Test
    void a_circle_and_links_to_nowhere_are_drawn_all_the_same() {
        Drawing drawing = drawn(
                List.of(node("a", false), node("b", false)),
                new Link("a", "b"),
                new Link("b", "a"),
                new Link("a", "gone"));

        assertThat(drawing.nodes()).hasSize(2);
    }
}
