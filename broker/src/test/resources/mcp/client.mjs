// The official TypeScript client, which holds every result against the tool's output schema.
// node client.mjs URL: does the round of all tools and prints "ok", or says what was wrong.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const client = new Client({ name: 'holdfast-test', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));

const called = new Set();

async function call(name, args = {}) {
    called.add(name);
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError ?? false, false, JSON.stringify(result));
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
    return result.structuredContent;
}

async function broken(text, name, args) {
    const result = await client.callTool({ name, arguments: args });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, text);
}

assert.equal(client.getServerVersion().name, 'holdfast');
assert.match(client.getInstructions(), /claim_generation/);
await client.ping();
const { tools } = await client.listTools();

const { holder } = await call('start_session', { session_id: 's1', kind: 'claude', host: 'laptop' });
const claim = await call('claim', { resource: 'key:a', holder });
assert.equal((await call('claim', { resource: 'key:a', holder: 'other' })).code, 'held');
assert.equal((await call('claim_next', { kind: 'work', holder })).resource, null);
assert.equal((await call('heartbeat', { holder })).unconfirmed.length, 1);
const fence = { resource: 'key:a', holder, claim_generation: claim.claim_generation };
assert.equal((await call('heartbeat', fence)).holder, holder);
assert.equal((await call('heartbeat', { ...fence, claim_generation: 99 })).code, 'lost');
assert.equal((await call('who')).holders[0].host, 'laptop');
assert.equal((await call('list_agents')).agents.length, 1);
assert.equal((await call('release', { ...fence, note: 'done' })).released, true);

const first = (await call('create_work', { title: 'lay the keel', queue: 'yard' })).item.id;
const second = (await call('create_work', { title: 'raise the mast', queue: 'yard' })).item.id;
await call('add_dependency', { id: second, depends_on: first });
assert.equal((await call('blocked_work')).items[0].id, second);
assert.equal((await call('ready_work', { queue: 'yard' })).items[0].id, first);
const { claim: held } = await call('claim_next_work', { holder, queue: 'yard' });
const done = { id: first, holder, claim_generation: held.claim_generation };
await call('update_work', { ...done, note: 'half done' });
assert.equal((await call('close_work', done)).item.status, 'closed');
await call('remove_dependency', { id: second, depends_on: first });
assert.equal((await call('claim_work', { id: second, holder })).item.status, 'in_progress');
assert.equal((await call('get_work', { id: second })).title, 'raise the mast');
assert.equal((await call('list_work', { status: 'closed' })).items.length, 1);
await call('reserve_paths', { holder, queue: 'yard', paths: ['hull/**'] });
assert.equal((await call('check_path', { holder: 'other', queue: 'yard', path: 'hull/keel.c' })).free, false);

assert.equal((await call('end_session', { session_id: 's1' })).released.length, 2);
assert.deepEqual([...called].sort(), tools.map((tool) => tool.name).sort(), 'every tool is called');

await broken(/unknown field ttl/, 'claim', { resource: 'key:a', holder, ttl: 5 });
await broken(/missing field holder/, 'claim', { resource: 'key:a' });
await broken(/ttl_seconds must be a whole number/, 'claim', { resource: 'key:a', holder, ttl_seconds: '5' });
await assert.rejects(client.callTool({ name: 'clam', arguments: {} }), /there is no tool 'clam'/);

await client.close();
console.log('ok');
