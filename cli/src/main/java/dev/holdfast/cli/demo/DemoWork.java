package dev.holdfast.cli.demo;

import dev.holdfast.cli.broker.BrokerClient;
import dev.holdfast.cli.broker.Failure;
import dev.holdfast.cli.broker.Input;
import dev.holdfast.cli.broker.Reply;
import dev.holdfast.cli.command.RefusalWording;
import dev.holdfast.cli.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The demo's backlog: two agents want the same item, its holder dies, and what that one says later is refused. */
final class DemoWork {
    /** The lease of the agent that dies: long enough for a slow machine to ask for the item in between. */
    private static final int TTL_SECONDS = 3;

    private final Narrator narrator;
    private final BrokerClient door;

    DemoWork(DemoStage stage, Narrator narrator) {
        this.narrator = narrator;
        door = stage.door();
    }

    void play() {
        narrator.chapter("No work is done twice, and a silent agent's claim is freed");
        String paint = create("Paint the tower", new Input());
        String photo = create("Take a photo of it", new Input().with("depends_on", List.of(paint)));
        narrator.says(
                "broker", paint + " \"Paint the tower\" is ready; " + photo + " \"Take a photo of it\" waits for it");

        JsonObject anns = granted("claim_work", claim("ann", paint).with("ttl_seconds", TTL_SECONDS));
        narrator.says("ann", "claims " + paint + " for " + TTL_SECONDS + " s: generation " + generation(anns));
        Reply refused = door.call("claim_work", claim("bob", paint).fields());
        DemoReviews.demand("held".equals(refused.json().text("code")), "bob hears that ann has it: " + refused.text());
        narrator.says("bob", "wants it too and " + no("is refused", refused));
        Reply nothing =
                door.call("claim_next_work", new Input().with("holder", "bob").fields());
        DemoReviews.demand(
                nothing.accepted() && nothing.json().get("item") == null, "nothing else is ready: " + nothing.text());
        narrator.says("bob", "asks for anything else: nothing is ready until the tower is painted");

        narrator.says("ann", "goes silent and sends no more heartbeats. bob waits for the claim");
        JsonObject bobs = granted("claim_work", claim("bob", paint).with("wait_seconds", 30));
        DemoReviews.demand(generation(bobs) > generation(anns), "a takeover has a new generation");
        narrator.says("bob", "gets it the moment it expires: generation " + generation(bobs));
        Reply late = door.call("close_work", close("ann", paint, anns).fields());
        DemoReviews.demand("lost".equals(late.json().text("code")), "the late answer is refused: " + late.text());
        narrator.says("ann", "wakes up, reports it done, and " + no("is refused", late));

        JsonObject closed = granted(
                "close_work",
                close("bob", paint, bobs).with("reason", "painted").with("next", Map.of()));
        String next = closed.object("next").object("item").text("id");
        DemoReviews.demand(photo.equals(next), "what waited is ready at once, and bob's: " + closed.members());
        narrator.says("bob", "closes " + paint + " and gets " + photo + " in the same call");
        granted("close_work", close("bob", photo, closed.object("next")));
        narrator.says("bob", "takes the photo: " + narrator.paint().status("closed"));
    }

    /** The refusal, without its advice. */
    private String no(String what, Reply reply) {
        return narrator.paint().bad(what) + ": "
                + RefusalWording.of(reply.error()).split("; ", 2)[0];
    }

    private String create(String title, Input more) {
        String id =
                granted("create_work", more.with("title", title)).object("item").text("id");
        DemoReviews.demand(id != null, "an item has an id");
        return String.valueOf(id);
    }

    private static Input claim(String holder, String id) {
        return new Input().with("id", id).with("holder", holder);
    }

    private static Input close(String holder, String id, JsonObject claimed) {
        return claim(holder, id).with("claim_generation", generation(claimed));
    }

    private static long generation(JsonObject claimed) {
        @Nullable Number number = claimed.object("claim").number("claim_generation");
        DemoReviews.demand(number != null, "a claim has a generation: " + claimed.members());
        return number == null ? 0 : number.longValue();
    }

    private JsonObject granted(String verb, Input input) {
        Reply reply = door.call(verb, input.fields());
        if (!reply.accepted()) {
            throw Failure.refused(reply, verb);
        }
        return reply.json();
    }
}
