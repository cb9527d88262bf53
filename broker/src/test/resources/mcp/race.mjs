// node race.mjs URL, of a broker with short leases: a claims and is too slow, b has it then; prints "ok" or what was wrong.
import assert from 'node:assert/strict';
import { caller, connected, who } from './session.mjs';

const client = await connected();
const call = caller(client);
const { review_id } = await call('create_review', { intent: 'one', description: 'one', ...who });
const a = await call('claim_review', { review_id, reviewer_id: 'a' });
let b;
do {
    b = await call('claim_next_review', { reviewer_id: 'b', wait_seconds: 20 });
} while (b.review_id === null);
assert.equal(b.review_id, review_id);
assert.ok(b.claim_generation > a.claim_generation);

const approved = { review_id, verdict: 'approved' };
const late = { ...approved, reviewer_id: 'a', claim_generation: a.claim_generation };
assert.equal((await call('submit_verdict', late)).code, 'stale');
assert.equal((await call('submit_verdict', { ...approved, reviewer_id: 'a' })).code, 'wrong_holder');
assert.equal((await call('submit_verdict', approved)).code, 'fence_missing');
const inTime = { ...approved, reviewer_id: 'b', claim_generation: b.claim_generation };
assert.equal((await call('submit_verdict', inTime)).status, 'approved');
await client.close();
console.log('ok');
