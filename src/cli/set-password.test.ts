// Runs on sqlite, slowly.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import { addressOf, openPlace, storedTexts } from '../../test/command-line.ts'

const OLD = 'nine Welsh owls, asleep'
const FRESH = 'seven Manx cats, awake'

/** A server with two accounts; its calls by the session of a login. */
async function served(t: TestContext, name: string) {
  const place = await openPlace(t, name)
  const make = async (email: string) => {
    const line = ['bootstrap', '--email', email, '--product', 'P', '--another']
    return String((await place.ask(line, { input: OLD })).developer_id)
  }
  const [sam, kim] = [await make('Sam@example.com'), await make('kim@example.com')]
  const server = await place.start(['serve', '--no-jobs'])
  const call = async (path: string, { session = '', method = 'GET', body }: Sent = {}) => {
    const response = await fetch(`${addressOf(server)}/v1/developers/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(session && { 'x-keywright-session': session }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const cookie = (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    return {
      status: response.status,
      token: cookie.slice(cookie.indexOf('=') + 1),
      value: (await response.json()) as Record<string, string> & { backup_codes?: string[] },
    }
  }
  const logIn = (id: string, email: string, password: string) =>
    call(`${id}/login.json`, { method: 'POST', body: { email, password } })
  return { place, sam, kim, call, logIn }
}

interface Sent {
  readonly session?: string
  readonly method?: string
  readonly body?: object
}

test('who forgot the password gets a new one at the command line, and every login so far ends', async (t) => {
  const { place, sam, kim, call, logIn } = await served(t, 'password')
  const [mine, other] = [await logIn(sam, 'sam@example.com', OLD), await logIn(kim, 'kim@example.com', OLD)]
  assert.deepEqual([mine.status, other.status], [200, 200])
  const set = await place.ask(['password', '--email', 'sam@EXAMPLE.com'], { input: `${FRESH}\n` })
  assert.deepEqual(set, { person_id: sam, email: 'Sam@example.com', two_factor_off: false })
  assert.equal((await call(`${sam}/session.json`, { session: mine.token })).status, 401)
  assert.equal((await call(`${kim}/session.json`, { session: other.token })).status, 200)
  assert.equal((await logIn(sam, 'sam@example.com', OLD)).status, 401)
  assert.equal((await logIn(sam, 'sam@example.com', FRESH)).status, 200)
  assert.equal((await logIn(kim, 'kim@example.com', OLD)).status, 200)
  const written = await place.database.reader
    .selectFrom('audit_log')
    .select(['actor_kind', 'details'])
    .where('action', '=', 'cli/password')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [written.actor_kind, JSON.parse(String(written.details))],
    ['system', { person: Number(sam), two_factor_off: false }],
  )
  const clear = (await storedTexts(place.database)).filter(({ value }) => value.includes(FRESH))
  assert.deepEqual(clear, [])
})

test('the new password lets in at once, from an address that is known or not, however often others have failed', async (t) => {
  const { place, sam, kim, logIn } = await served(t, 'password-failed')
  assert.equal((await logIn(kim, 'kim@example.com', OLD)).status, 200)
  const shut = async (id: string, email: string, right: string) => {
    for (let n = 0; n < 10; n++) assert.equal((await logIn(id, email, 'wrong')).status, 401)
    assert.equal((await logIn(id, email, right)).status, 429)
  }
  await shut(sam, 'sam@example.com', OLD)
  await shut(kim, 'kim@example.com', OLD)
  await place.ask(['password', '--email', 'sam@example.com'], { input: FRESH })
  assert.equal((await logIn(sam, 'sam@example.com', FRESH)).status, 200, 'from an address that was unknown')
  assert.equal((await logIn(kim, 'kim@example.com', OLD)).status, 429, 'of that person alone')
  await place.ask(['password', '--email', 'Kim@example.com'], { input: FRESH })
  assert.equal((await logIn(kim, 'kim@example.com', FRESH)).status, 200, 'from one that was known')
})

test('a link to another address that was asked for with the old password ends with a new one', async (t) => {
  const { place, sam, call, logIn } = await served(t, 'password-address')
  const { token: session } = await logIn(sam, 'sam@example.com', OLD)
  const body = { email: 'taken-over@example.com', current_password: OLD }
  assert.equal((await call(`${sam}/person.json`, { method: 'PUT', session, body })).status, 200)
  const waiting = () =>
    place.database.reader
      .selectFrom('developer_email_changes')
      .select('id')
      .where('used_at', 'is', null)
      .execute()
  assert.equal((await waiting()).length, 1)
  await place.ask(['password', '--email', 'sam@example.com'], { input: FRESH })
  assert.deepEqual(await waiting(), [])
})

test('two-factor stays on with a new password, unless it is to be switched off', async (t) => {
  const { place, sam, call, logIn } = await served(t, 'password-two-factor')
  const { token: session } = await logIn(sam, 'sam@example.com', OLD)
  const password = { current_password: OLD }
  const begun = await call(`${sam}/two_factor.json`, { method: 'POST', session, body: password })
  const code = new TOTP({ secret: Secret.fromBase32(begun.value['secret'] ?? '') }).generate()
  const on = await call(`${sam}/two_factor/confirm.json`, { method: 'POST', session, body: { code } })
  assert.equal(on.status, 200, JSON.stringify([begun, on]))
  const line = ['password', '--email', 'sam@example.com']
  assert.equal((await place.ask(line, { input: FRESH })).two_factor_off, false)
  const asked = await logIn(sam, 'sam@example.com', FRESH)
  assert.deepEqual([asked.status, JSON.stringify(asked.value).includes('two_factor_required')], [401, true])
  assert.equal((await place.ask([...line, '--without-two-factor'], { input: FRESH })).two_factor_off, true)
  assert.equal((await logIn(sam, 'sam@example.com', FRESH)).status, 200)
  const left = await place.database.reader.selectFrom('backup_codes').select('id').execute()
  assert.deepEqual(left, [])
})

test('a password that is refused and an address that nobody has change nothing', async (t) => {
  const { place, sam, call, logIn } = await served(t, 'password-refused')
  const mine = await logIn(sam, 'sam@example.com', OLD)
  const refusal = async (email: string, input: string) => {
    const { code, stderr } = await place.run(['password', '--email', email, '--json'], { input })
    return [code, JSON.parse(stderr).error.code]
  }
  assert.deepEqual(await refusal('nobody@example.com', FRESH), [1, 'no_person'])
  assert.deepEqual(await refusal('sam@example.com', 'short'), [1, 'bad_password'])
  assert.deepEqual(await refusal('sam@example.com', ''), [1, 'no_password'])
  assert.equal((await call(`${sam}/session.json`, { session: mine.token })).status, 200)
})
