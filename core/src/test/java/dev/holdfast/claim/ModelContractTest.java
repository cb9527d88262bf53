package dev.holdfast.claim;

/** The contract, kept by the model. */
class ModelContractTest extends QueueContract {
    @Override
    Subject subject() {
        return new ModelClaims();
    }
}
