package dev.holdfast.broker.dashboard.diff;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibleTextTest {
    @Test
    void a_character_that_hides_or_reorders_others_is_shown_as_its_code() {
        assertThat(VisibleText.of("a\u200bb\u202ec")).isEqualTo("a⟨U+200B⟩b⟨U+202E⟩c");
        assertThat(VisibleText.line("a\tb")).isEqualTo("a⟨U+0009⟩b");
        assertThat(VisibleText.of("a\tb\r\nc")).isEqualTo("a\tb\nc");
    }

    @Test
    void a_variation_selector_is_left_alone_behind_an_emoji_and_shown_anywhere_else() {
        assertThat(VisibleText.of("\u2764\ufe0f 1\ufe0f\u20e3")).isEqualTo("\u2764\ufe0f 1\ufe0f\u20e3");
        assertThat(VisibleText.of("\u2764\ufe0f\ufe0e")).isEqualTo("\u2764\ufe0f⟨U+FE0E⟩");
        assertThat(VisibleText.of("`\ufe0e\ufe0f`")).isEqualTo("`⟨U+FE0E⟩⟨U+FE0F⟩`");
        assertThat(VisibleText.of("\ufe0fx")).isEqualTo("⟨U+FE0F⟩x");
        assertThat(VisibleText.of("1\ufe0f2")).isEqualTo("1⟨U+FE0F⟩2");
    }
}
