package dev.holdfast.task;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each claim, extension, release and end, whatever its result. */
record LoggedFinalizations(Finalizations finalizations) implements Finalizations {
    private static final Logger LOG = LoggerFactory.getLogger(Finalizations.class);

    @Override
    public Claimed claim(String taskId, String processor, @Nullable Duration timeout, @Nullable Long generation) {
        Claimed claimed = finalizations.claim(taskId, processor, timeout, generation);
        LOG.debug(
                "{} claims task {}: {}, generation {}, held by {}, its steps are {}",
                processor,
                taskId,
                claimed.answer(),
                orNone(claimed.claimGeneration()),
                orNone(claimed.alreadyClaimedBy()),
                claimed.taskState());
        return claimed;
    }

    @Override
    public boolean release(String taskId, String processor, @Nullable Long generation, @Nullable Long handledSeq) {
        boolean released = finalizations.release(taskId, processor, generation, handledSeq);
        LOG.debug(
                "{} releases task {}: {}, generation {}",
                processor,
                taskId,
                released ? FinalizationAnswer.RELEASED : FinalizationAnswer.NOT_OWNED,
                orNone(generation));
        return released;
    }

    @Override
    public Finished finish(
            String taskId, String processor, long generation, @Nullable Long handledSeq, @Nullable TaskState outcome) {
        Finished finished = finalizations.finish(taskId, processor, generation, handledSeq, outcome);
        LOG.debug(
                "{} ends task {}: {}, generation {}, the task is {}",
                processor,
                taskId,
                finished.answer(),
                generation,
                finished.taskState());
        return finished;
    }

    private static Object orNone(@Nullable Object value) {
        return value == null ? "none" : value;
    }
}
