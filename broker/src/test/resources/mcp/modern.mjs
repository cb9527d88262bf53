// The official TypeScript client of protocol 2026-07-28, over HTTP or through the stdio bridge.
// node modern.mjs URL | node modern.mjs PROGRAM ARGUMENT...: prints "ok", or says what was wrong.
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [target, ...args] = process.argv.slice(2);
const transport = target.startsWith('http')
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args, env: process.env });
const client = new Client({ name: 'holdfast-test', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } });
await client.connect(transport);

assert.equal(client.getServerVersion().name, 'holdfast');
assert.match(client.getInstructions(), /claim_generation/);
const { tools } = await client.listTools();
assert.ok(tools.some(tool => tool.name === 'create_review'));

const made = await client.callTool({ name: 'create_review', arguments: {
    intent: 'lay the keel', agent_type: 'test', agent_role: 'proposer', phase: '-' } });
const id = made.structuredContent.review_id;
const { resources } = await client.listResources();
assert.equal(resources.length, 1);
const { contents } = await client.readResource({ uri: resources[0].uri });
assert.match(contents[0].text, /lay the keel/);
await assert.rejects(client.readResource({ uri: 'review://none' }), error => error.code === -32602);
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map(prompt => prompt.name), ['propose', 'review', 'next']);
const prompt = await client.getPrompt({ name: 'review', arguments: { review_id: id } });
assert.match(prompt.messages[0].content.text, /claim_review/);
const { completion } = await client.complete({
    ref: { type: 'ref/prompt', name: 'review' }, argument: { name: 'review_id', value: '' } });
assert.deepEqual(completion.values, [id]);
const refused = await client.callTool({ name: 'claim_review', arguments: { review_id: id } });
assert.equal(refused.isError, true);
await client.close();
console.log('ok');
