package dev.holdfast.broker.dashboard.agents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AgentsPageTest {
    @Test
    void whoever_has_gone_quiet_is_not_counted_as_at_work() {
        assertThat(AgentsPage.atWork(6, 0, false, false)).isEqualTo("6 at work.");
        assertThat(AgentsPage.atWork(3, 0, true, false)).isEqualTo("3 others are at work.");
        assertThat(AgentsPage.atWork(1, 0, true, false)).isEqualTo("1 other is at work.");
        assertThat(AgentsPage.atWork(0, 0, true, false)).isEqualTo("Nobody else is at work.");
        assertThat(AgentsPage.atWork(200, 0, false, true)).isEqualTo("200 or more at work.");
        assertThat(AgentsPage.atWork(2, 1, false, false)).isEqualTo("2 at work, 1 holds nothing.");
        assertThat(AgentsPage.atWork(0, 3, false, false)).isEqualTo("Nobody is at work, 3 hold nothing.");
    }
}
