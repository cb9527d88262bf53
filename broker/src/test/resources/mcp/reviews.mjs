// The official TypeScript client, which holds every result against the tool's output schema.
// node reviews.mjs URL: takes a review through two rounds and prints "ok", or says what was wrong.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'holdfast-test', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));

// A proposer and a reviewer, round by round, as two agents would.
async function call(name, args = {}) {
    const result = await client.callTool({ name, arguments: args });
    assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
}

const who = { agent_type: 'gsd-executor', agent_role: 'proposer', phase: '1' };
const { review_id } = await call('create_review', { intent: 'first', description: 'one', project: 'shop', ...who });
const { reviews } = await call('list_reviews', { status: 'pending', wait: true });
assert.deepEqual(reviews.map((review) => review.id), [review_id]);

const first = await call('claim_review', { review_id, reviewer_id: 'ann' });
assert.equal((await call('get_proposal', { review_id, caller_id: 'ann' })).description, 'one');
await call('add_message', { review_id, sender_role: 'reviewer', body: 'why?' });
await call('add_message', { review_id, sender_role: 'proposer', body: 'because' });
const asked = { review_id, verdict: 'changes_requested', reason: 'name it better' };
assert.match((await call('submit_verdict', asked)).error, /require reviewer_id or claim_generation/);
const verdict = { ...asked, reviewer_id: 'ann', claim_generation: first.claim_generation };
assert.equal((await call('submit_verdict', verdict)).status, 'changes_requested');
assert.equal((await call('create_review', { review_id, intent: 'second', description: 'two', ...who })).revised, true);

const second = await call('claim_next_review', { reviewer_id: 'bob' });
assert.ok(second.claim_generation > first.claim_generation);
const late = { review_id, verdict: 'approved', reviewer_id: 'ann', claim_generation: first.claim_generation };
assert.match((await call('submit_verdict', late)).error, /Stale claim/);
await call('get_proposal', { review_id, caller_id: 'bob' });
const approval = { review_id, verdict: 'approved', reviewer_id: 'bob', claim_generation: second.claim_generation };
assert.equal((await call('submit_verdict', approval)).status, 'approved');
assert.equal((await call('get_review_status', { review_id })).current_round, 2);
assert.equal((await call('close_review', { review_id, closer_role: 'proposer' })).status, 'closed');
assert.equal((await call('get_discussion', { review_id })).count, 2);
await client.close();
console.log('ok');
