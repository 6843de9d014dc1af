// Runs beside others, slowly.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'

const operation = {
  id: 'users/list',
  group: 'users',
  method: 'GET',
  path: '/products/{product_id}/users.json',
  query: [
    {
      name: 'filter',
      type: 'string',
      enum: ['all', 'paid'],
      required: false,
      rule: 'a sentence',
      source: 'both',
    },
  ],
  body: null,
  success: 200,
  responses: { 200: { shape: '{users: User[]}', note: 'a sentence' } },
  rules: ['a sentence'],
}
const user = {
  kind: 'object',
  extends: null,
  fields: {
    ip: {
      type: 'string',
      nullable: true,
      read_only: false,
      rule: 'a sentence',
      writable_in: ['users/create'],
    },
  },
  used_by: ['users/list'],
}

async function folders(t: TestContext) {
  const spec = await mkdtemp(join(tmpdir(), 'keywright-contract-'))
  const copy = await mkdtemp(join(tmpdir(), 'keywright-copy-'))
  t.after(() => Promise.all([spec, copy].map((folder) => rm(folder, { recursive: true }))))
  await writeFile(join(spec, 'operations.json'), JSON.stringify([operation]))
  await writeFile(join(spec, 'entities.json'), JSON.stringify({ User: user }))
  return { spec, copy }
}

function check({ spec, copy }: { spec: string; copy: string }, ...args: string[]) {
  const tool = join(import.meta.dirname, 'contract-check.ts')
  const { status, stdout } = spawnSync(process.execPath, [tool, '--spec', spec, '--copy', copy, ...args], {
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('the copy holds names, types and figures, and no sentence', async (t) => {
  const places = await folders(t)
  assert.equal(check(places, '--write').status, 0)
  assert.deepEqual(JSON.parse(await readFile(join(places.copy, 'operations.json'), 'utf8')), [
    {
      id: 'users/list',
      method: 'GET',
      path: '/products/{product_id}/users.json',
      query: { filter: { type: 'string', enum: ['all', 'paid'] } },
      success: 200,
      responses: { 200: '{users: User[]}' },
    },
  ])
  assert.deepEqual(JSON.parse(await readFile(join(places.copy, 'entities.json'), 'utf8')), {
    User: { kind: 'object', fields: { ip: { type: 'string', nullable: true } } },
  })
})

test('a copy that says what the contract says passes, one that differs fails and says where', async (t) => {
  const places = await folders(t)
  check(places, '--write')
  assert.deepEqual(check(places), {
    status: 0,
    stdout: 'The copy says what the contract says: 1 operations.\n',
  })
  const changed = { ...operation, query: [{ ...operation.query[0], enum: ['all'] }] }
  await writeFile(join(places.spec, 'operations.json'), JSON.stringify([changed]))
  assert.deepEqual(check(places), { status: 1, stdout: 'operations.json: users/list differs\n' })
})

test('where the contract is not there, nothing is compared and nothing fails', async (t) => {
  const { copy } = await folders(t)
  const { status, stdout } = check({ spec: join(copy, 'nowhere'), copy })
  assert.equal(status, 0)
  assert.match(stdout, /is not here, nothing compared/)
})
