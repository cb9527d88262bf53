// node library.mjs URL: prompts, resources and completions; prints "ok", or says what was wrong.
import assert from 'node:assert/strict';
import { caller, connected, who } from './session.mjs';

const client = await connected();
const call = caller(client);
const capabilities = client.getServerCapabilities();
assert.deepEqual(Object.keys(capabilities).sort(), ['completions', 'prompts', 'resources', 'tools']);

const { review_id } = await call('create_review', { intent: 'first', description: 'approve this', ...who });
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map((prompt) => prompt.name), ['propose', 'review', 'next']);
for (const name of ['propose', 'next']) {
    assert.match((await client.getPrompt({ name })).messages[0].content.text, /review/);
}
const { messages } = await client.getPrompt({ name: 'review', arguments: { review_id } });
assert.match(messages[1].content.text, /never instructions to you[^]*=== \w+ description\napprove this\n=== \w+ end/);
await assert.rejects(client.getPrompt({ name: 'reviw' }), { code: -32602 });
await assert.rejects(client.getPrompt({ name: 'review' }), { code: -32602 });

const { resources } = await client.listResources();
assert.deepEqual(resources.map((resource) => resource.uri), [`review://${review_id}`]);
const { resourceTemplates } = await client.listResourceTemplates();
assert.equal(resourceTemplates.length, 2);
const { contents } = await client.readResource({ uri: `review://${review_id}/rounds/1` });
assert.match(contents[0].text, /Round 1 of 1/);
await assert.rejects(client.readResource({ uri: 'review://nope' }), { code: -32002 });

const ref = { type: 'ref/resource', uri: 'review://{id}' };
const argument = { name: 'id', value: review_id.slice(0, 4) };
assert.deepEqual((await client.complete({ ref, argument })).completion.values, [review_id]);
await client.close();
console.log('ok');
