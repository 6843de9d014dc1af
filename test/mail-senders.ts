import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deliverMails } from '../src/jobs/deliver-mails.ts'
import { runDue } from '../src/jobs/worker.ts'
import { startTestApp } from './app.ts'
import { asDeveloper } from './callers.ts'

/** An app whose mails are delivered into a folder, and the addresses that its store and first product have. */
export async function startMailing(name: string) {
  const dataDir = await mkdtemp(join(tmpdir(), `keywright-${name}-`))
  const app = await startTestApp(name, { config: { dataDir } })
  const developer = await asDeveloper(app)
  const put = async (path: string, body: object) => {
    const { status, text } = await developer('PUT', `${path}/emails/addresses.json`, body)
    assert.ok(status < 300, text)
  }
  return {
    app,
    developer,
    put,
    ofStore: (body: object) => put(`/stores/${app.seller.store.id}`, body),
    ofProduct: (body: object) => put(`/products/${app.seller.product.id}`, body),
    forget: () => app.write(({ db }) => db.deleteFrom('email_addresses').execute()),
    /** Delivers what waits; the headers of the mail to this address by name, each once. */
    async deliveredTo(email: string): Promise<Map<string, string>> {
      await runDue(app.ctx, [deliverMails])
      const { id } = await app.ctx.db
        .selectFrom('mails')
        .select('id')
        .where('recipient', '=', email)
        .executeTakeFirstOrThrow()
      const [head = ''] = (await readFile(join(dataDir, 'mail', `${id}.eml`), 'utf8')).split('\r\n\r\n')
      const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
      const headers = new Map(
        lines.map((line) => [line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
      )
      assert.equal(headers.size, lines.length, 'each header stands once')
      return headers
    },
    async close(): Promise<void> {
      await app.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
