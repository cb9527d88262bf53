// The official TypeScript client, which holds every result against the tool's output schema.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export async function connected() {
    const client = new Client({ name: 'holdfast-test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
    await client.listTools();
    return client;
}

// Calls a tool whose text must say what its structure says.
export function caller(client) {
    return async (name, args = {}) => {
        const result = await client.callTool({ name, arguments: args });
        assert.ok(!result.isError, `${name}: ${result.content[0].text}`);
        assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
        return result.structuredContent;
    };
}

export const who = { agent_type: 'gsd-executor', agent_role: 'proposer', phase: '1' };
