package dev.holdfast.token;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Characters outside ASCII that look like letters, digits, dots, dashes or slashes of ASCII in some font, either as they
 * are or in the other case. Most are those of Unicode's list of confusable characters (UTS #39), without what its
 * normalization form KC already replaces; small capitals and letters in boxes were added.
 */
final class LookAlikes {
    private static final String TABLE = """
            a ɑΑαАаᎪᗅᴀ⍺ꓮ𐊠𖽀
            b ƄʙΒВЬᏏᏴᑲᖯᗷꓐꞴ𐊂𐊡𐌁
            c СсᏟᴄⲤⲥꓚꮯ𐊢𐌂𐐕𐐽𐔜𑣩𑣲🝌
            d ԁᎠᏧᑯᗞᗪᴅꓒꓓ
            e ΕЕеҽᎬᴇ℮⋿ⴹꓰꬲ𐊆𑢦𑢮
            f ϜքᖴẝꓝꜰꞘꞙꬵ𐊇𐊥𐔥𑢢𑣂𝈓
            g ƍɡɢԌցᏀᏳᶃꓖ
            h ʜΗНһհᎻᏂᕼⲎꓧ𐋏
            i ıɩɪιіӏᎥ⍳ꙇꭵ𑣃
            j ͿϳЈјᎫᒍᴊꓙꞲ
            k ΚκКкᏦᛕᴋⲔꓗ𐔘
            l ƖǀʟΙІӀ\u05c0\u05d5\u05df\u0627\u0661۱\u07caᏞᒪᛁ∣⏽ⲒⳐⵏꓡꓲ𐊊𐌉𐌠𐐛𐔦𑢣𑢲𖼖𖼨𝈪\ud83a\udcc7
            m ΜϺМᎷᗰᛖᴍⲘꓟ𐊰𐌑𑜀𑣣
            n ɴΝոռⲚꓠ𐔓
            o οσоօ\u05e1\u0647\u0665\u06be\u06c1\u06d5۵०੦૦௦\u0c02౦\u0c82೦\u0d02ഠ൦\u0d82๐໐ဝ၀ჿᴏᴑⲟꬽ𐐬𐓪𑣈𑣗
            p ΡρРрᏢᑭᴘ⍴Ⲣⲣꓑ𐊕
            q Ԛԛգզⵕꞯ
            r ƦʀгᎡᏒᖇᴦⲅꓣꭇꭈꮁ𐒴𖼵𝈖
            s ƽЅѕՏᏕᏚꓢꜱꮪ𐊖𐐠𐑈𑣁𖼺
            t ΤТᎢᴛ⊤⟙Ⲧꓔ𐊗𐊱𐌕𑢼𖼊🝨
            u ʋυՍսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓎𐓶𑢸𑣘𖽂
            v νѴѵ\u05d8\u0667۷Ꮩᐯᴠ∨⋁ⴸꓦꛟꮩ𐔝𑜆𑢠𑣀𖼈𝈍
            w ɯѡԜԝաᎳᏔᴡꓪꮃ𑜊𑜎𑜏𑣦𑣯
            x ×ΧχХхᕁᕽ᙭᙮ᚷ╳⤫⤬⨯ⲬⵝꓫꞳ𐊐𐊴𐌗𐌢𐔧𑣬
            y ɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ𐊲𑢤𑣜𖽃
            z ΖᏃᴢꓜꮓ𐋵𑢩𑣄𑣥
            - ˗\u06d4‐‒–⁃−➖Ⲻ
            . \u0660۰\u0701\u0702ꓸ꘎\ud802\ude50\ud834\udd6d
            / ᜵⁁⁄∕╱⟋⧸Ⳇ〳ノ㇓丿𝈺
            0 ΟОՕ\u07c0০ଠ୦ዐⲞⵔ〇ꓳ𐊒𐊫𐐄𐓂𐔖𑓐𑢵𑣠
            2 ƧϨᒿꙄꛯꝚ
            3 ƷȜЗӠⳌꝪꞫ𑣊𖼻𝈆
            4 Ꮞ𑢯
            5 Ƽ𑢻
            6 бᏮⳒ𑣕
            7 𐓒𑣆𝈒
            8 Ȣȣ৪੪\u0b03𐌚\ud83a\udccb
            9 ৭੧୨൭ⳊꝮ𑢬𑣌𑣖
            _ \u07fa
            aa Ꜳꜳ
            ae ÆæӔӕ
            ao Ꜵꜵ
            au Ꜷꜷ
            av ꜸꜹꜺꜻ
            ay Ꜽꜽ
            bl Ы
            dz ʣ
            ll ǁ\u05f0
            lo Ю
            ls ʪ
            lz ʫ
            oe Œœ
            oo ꚘꚙꝎꝏ
            tf ꝷ
            ts ʦ
            ue ᵫ
            uo ꭣ
            t3 Ꜩ
            """;

    /** Letters in black circles, black boxes and flags: 26 each, in order. */
    private static final int[] ALPHABETS = {0x1F150, 0x1F170, 0x1F1E6};

    private static final Map<Integer, String> ASCII = ascii();

    private LookAlikes() {}

    private static Map<Integer, String> ascii() {
        Map<Integer, String> ascii = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] parts = line.split(" ", 2);
            parts[1].codePoints().forEach(character -> ascii.put(character, parts[0]));
        });
        for (int first : ALPHABETS) {
            for (int i = 0; i < 26; i++) {
                ascii.put(first + i, String.valueOf((char) ('a' + i)));
            }
        }
        return ascii;
    }

    /** The text in lower case, with what the characters outside ASCII look like in their place. */
    static String asSeen(String text) {
        StringBuilder seen = new StringBuilder();
        text.codePoints().forEach(character -> {
            String alike = alike(character);
            if (alike == null) {
                seen.appendCodePoint(Character.toLowerCase(character));
            } else {
                seen.append(alike);
            }
        });
        return seen.toString();
    }

    private static @Nullable String alike(int character) {
        String alike = ASCII.get(character);
        if (alike == null) {
            alike = ASCII.get(Character.toLowerCase(character));
        }
        return alike == null ? ASCII.get(Character.toUpperCase(character)) : alike;
    }
}
