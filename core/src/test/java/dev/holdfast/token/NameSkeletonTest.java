package dev.holdfast.token;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameSkeletonTest {
    @ParameterizedTest
    @CsvSource({
        "case, Hatter, hatter",
        "Cyrillic, \u043d\u0430\u0442\u0442\u0435\u0433, hatter",
        "Greek, \u0397\u0391\u03a4\u03a4\u0395R, hatter",
        "Armenian, h\u0578\u0585\u057d\u057d, hnouu",
        "Cherokee, \u13bb\u13aa\u13a2\u13a2\u13ac\u13a1, hatter",
        "Cherokee in small letters, \uab8b\uab7a\uab72\uab72\uab7c\uab71, hatter",
        "Coptic, \u2c9f\u2ca3\u2ca5, opc",
        "Lisu, \ua4e7\ua4ee\ua4d4\ua4d4\ua4f0\ua4e3, hatter",
        "small capitals, \u029c\u1d00\u1d1b\u1d1b\u1d07\u0280, hatter",
        "full width, \uff48\uff41\uff54\uff54\uff45\uff52, hatter",
        "mathematical, \ud835\udc21\ud835\udc1a\ud835\udc2d\ud835\udc2d\ud835\udc1e\ud835\udc2b, hatter",
        "in circles, \u24d7\u24d0\u24e3\u24e3\u24d4\u24e1, hatter",
        "in black boxes, \ud83c\udd77\ud83c\udd70\ud83c\udd83\ud83c\udd83\ud83c\udd74\ud83c\udd81, hatter",
        "as flags, \ud83c\udded\ud83c\udde6\ud83c\uddf9\ud83c\uddf9\ud83c\uddea\ud83c\uddf7, hatter",
        "one letter for two, \u0430\ua733, aaa",
        "two letters for one, \u0430rn, am",
        "another dash, build\u20107, build-7",
        "another minus, build\u22127, build-7",
        "another slash, hatter\u2215a, hatter",
        "a digit of another script, build-\u09ea, build-8",
        "a capital for an l, b\u0406ake, blake",
        "a capital for a 1, build-\u04c0, build-1",
        "a letter for a 0, build-\u041e, build-0",
        "invisible, hat\u200bter, hatter"
    })
    void looks_like_the_tokens(String how, String name, String token) {
        assertThat(NameSkeleton.of(name).isTakenFor(token)).as(how).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "another word, hatters, hatter",
        "ASCII that people can tell apart, build-l, build-1",
        "ASCII that people can tell apart, clara, ciara",
        "an accent, h\u00e4tter, hatter",
        "another script, \u6587\u5b57, hatter",
        "only the beginning, \u043d\u0430t, hatter"
    })
    void does_not_look_like_the_tokens(String how, String name, String token) {
        assertThat(NameSkeleton.of(name).isTakenFor(token)).as(how).isFalse();
    }
}
