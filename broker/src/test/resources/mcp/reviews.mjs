// node reviews.mjs URL: two agents take a review from proposal to close; prints "ok", or says what was wrong.
import assert from 'node:assert/strict';
import { caller, connected, who } from './session.mjs';

const clients = [await connected(), await connected()];
const [propose, review] = clients.map(caller);
const diff = (...lines) => `--- a/x\n+++ b/x\n@@ -1 +1,${lines.length} @@\n-a\n${lines.map((line) => `+${line}\n`).join('')}`;

const waiting = review('list_reviews', { status: 'pending', wait: true });
const { review_id } = await propose('create_review', { intent: 'first', diff: diff('b'), ...who });
const { reviews } = await waiting;
assert.deepEqual(reviews.map((each) => each.id), [review_id]);

const first = await review('claim_review', { review_id, reviewer_id: 'ann' });
assert.equal(first.affected_files[0].path, 'x');
assert.equal((await review('get_proposal', { review_id, caller_id: 'ann' })).diff, diff('b'));
await review('add_message', { review_id, sender_role: 'reviewer', body: 'why?' });
await propose('add_message', { review_id, sender_role: 'proposer', body: 'because' });
const asked = { review_id, verdict: 'changes_requested', reason: 'c is better', counter_patch: diff('c') };
assert.equal((await review('submit_verdict', asked)).code, 'fence_missing');
const verdict = { ...asked, reviewer_id: 'ann', claim_generation: first.claim_generation };
assert.equal((await review('submit_verdict', verdict)).status, 'changes_requested');
assert.equal((await review('submit_verdict', verdict)).replayed, true);

const told = await propose('get_review_status', { review_id, wait: true, since: 0 });
assert.equal(told.verdict_reason, 'c is better');
assert.equal((await propose('get_proposal', { review_id })).counter_patch, diff('c'));
assert.equal((await propose('accept_counter_patch', { review_id })).counter_patch_status, 'accepted');
const revised = await propose('create_review', { review_id, intent: 'second', diff: diff('c', 'd'), ...who });
assert.equal(revised.round, 2);

const second = await review('claim_next_review', { reviewer_id: 'ann', wait_seconds: 25 });
assert.ok(second.claim_generation > first.claim_generation);
const late = { review_id, verdict: 'approved', reviewer_id: 'ann', claim_generation: first.claim_generation };
assert.match((await review('submit_verdict', late)).error, /Stale claim/);
await review('get_proposal', { review_id, caller_id: 'ann' });
const approval = { review_id, verdict: 'approved', reviewer_id: 'ann', claim_generation: second.claim_generation };
assert.equal((await review('submit_verdict', approval)).status, 'approved');
assert.equal((await propose('close_review', { review_id, closer_role: 'proposer' })).status, 'closed');
assert.equal((await propose('get_discussion', { review_id })).count, 2);
await Promise.all(clients.map((client) => client.close()));
console.log('ok');
