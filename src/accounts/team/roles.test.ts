import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RIGHTS, ROLES } from '../../access/roles.ts'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import { logIn, setPassword } from '../../../test/logins.ts'

let app: TestApp
before(async () => {
  app = await startTestApp('roles_list')
})
after(() => app.close())

test('what each role may is told as it is held to', async () => {
  await setPassword(app)
  const { json } = await (await logIn(app)).call('GET', '/roles.json')
  assert.deepEqual(
    json.roles,
    ROLES.map((role) => ({ role, rights: RIGHTS[role] })),
  )
})
