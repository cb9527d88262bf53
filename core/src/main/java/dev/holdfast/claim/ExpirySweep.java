package dev.holdfast.claim;

import dev.holdfast.store.BadRows;
import dev.holdfast.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/**
 * Reclaims expired claims in one transaction or, if a row makes that fail, each in its own. Then reclaims soft claims
 * whose outer claim is over.
 */
final class ExpirySweep {
    private final Store store;
    private final Reclaims reclaims;
    private final BadRows bad = new BadRows(LoggerFactory.getLogger(ExpirySweep.class), "take back");

    ExpirySweep(Store store, Reclaims reclaims) {
        this.store = store;
        this.reclaims = reclaims;
    }

    List<Resource> sweep(int max) {
        List<Resource> swept = new ArrayList<>(BadRows.either(
                () -> store.write(transaction -> reclaims.sweep(transaction, max)), () -> oneByOne(max)));
        for (String key : store.read(transaction -> ResourceTable.orphanedSoft(transaction, max + bad.count()))) {
            if (bad.attempt(
                    key, () -> store.write(transaction -> reclaims.sweepSoft(transaction, Resource.parse(key))))) {
                swept.add(Resource.parse(key));
            }
        }
        return swept;
    }

    private List<Resource> oneByOne(int max) {
        List<Resource> swept = new ArrayList<>();
        for (String key : store.read(
                transaction -> ResourceTable.expiredKeys(transaction, transaction.now(), max + bad.count()))) {
            Optional<Resource> one = bad.attempt(
                    key, () -> store.write(transaction -> reclaims.sweep(transaction, key)), Optional.empty());
            one.ifPresent(swept::add);
        }
        return swept;
    }
}
