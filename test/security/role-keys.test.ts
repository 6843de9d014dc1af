// Runs on sqlite.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ROLES, type Role } from '../../src/access/roles.ts'
import { mailsTo } from '../mails.ts'
import { jsonBody } from './client.ts'
import { newMember } from './members.ts'
import { startWorld, type World } from './world.ts'

let world: World
const tokens = new Map<Role, string>()
before(async () => {
  world = await startWorld('role_keys')
  for (const role of ROLES) tokens.set(role, (await newMember(world, role)).access)
})
after(() => world.close())

async function as(role: Role, method: 'GET' | 'POST' | 'PUT', path: string, body: object = {}) {
  const { developer, product } = world.seller
  const json = method === 'GET' ? { headers: {} } : jsonBody(body)
  const authorization = `FSA ${developer.id}:${tokens.get(role)}`
  return world.send({
    method,
    path: `/v1/developers/${developer.id}/products/${product.id}${path}`,
    ...json,
    headers: { ...json.headers, authorization },
  })
}

/** What a role is answered: the status, and the code of a refusal. */
async function answered(...call: Parameters<typeof as>) {
  const { status, json } = await as(...call)
  return json?.error?.code ?? status
}

describe('S03: a role gets nothing by which it can do more', () => {
  test('another address of a person, which makes who reads it that person, is for admins', async () => {
    const { id, email } = world.people.bea
    const path = `/users/${id}.json`
    const mine = 'mine@example.org'
    assert.equal(await answered('support', 'PUT', path, { email: mine, first: 'Eve' }), 'role_not_allowed')
    assert.deepEqual(await mailsTo(world, mine), [])
    const same = await as('support', 'PUT', path, { email, last: 'Beaumont' })
    assert.deepEqual([same.status, same.json.email, same.json.last], [200, email, 'Beaumont'])
    assert.notEqual(same.json.first, 'Eve', 'what is refused is refused as a whole')
    assert.equal(await answered('admin', 'PUT', path, { email: mine }), 200)
    assert.equal((await mailsTo(world, mine)).length, 1)
  })

  test('a password, with which one logs in as a person that buys later, is for admins', async () => {
    const person = (role: Role) => ({ email: `made-by-${role}@example.org`, name: 'Later Buyer' })
    const password = 'a quite uncommon one 71'
    const withPassword = (role: Role) => ({ ...person(role), password })
    assert.equal(
      await answered('support', 'POST', '/users.json', withPassword('support')),
      'role_not_allowed',
    )
    assert.equal(await answered('support', 'POST', '/users.json', person('support')), 200)
    assert.equal(await answered('admin', 'POST', '/users.json', withPassword('admin')), 200)
  })

  test('what opens a checkout as a customer changes subscriptions and is for admins', async () => {
    const { license_id: licenseId } = world.ids.own
    for (const path of [
      `/users/${world.people.bea.id}/tokens/checkout.json`,
      `/licenses/${licenseId}/checkout/link.json`,
    ]) {
      for (const role of ROLES) {
        const reply = await as(role, 'POST', path)
        if (role === 'admin') assert.ok(reply.status < 300, reply.text)
        else assert.equal(reply.json.error.code, 'role_not_allowed', `${role} ${path}`)
      }
    }
  })

  test('a link by which a review is written is for who may write one', async () => {
    const path = `/users/${world.people.ada.id}/licenses/${world.ids.own['license_id']}/review_url.json`
    const answers = await Promise.all(ROLES.map((role) => answered(role, 'GET', path)))
    assert.deepEqual(answers, [200, 'role_not_allowed', 200, 'role_not_allowed'])
  })
})
