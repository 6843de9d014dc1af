import { transaction } from '../../src/context.ts'
import { createImport } from '../wholes.ts'
import { listOf, question, type Calls, type Questions } from './asking.ts'
import { joinTeam, type SellerApp } from './seller.ts'

/** A member, a token, an own text, senders and imports, of which the demo has none. */
async function prepare(app: SellerApp, call: Calls) {
  await joinTeam(app, 'support')
  await call('POST', '/tokens.json', { name: 'Back office' })
  await call('PUT', 'mail_templates/receipt.json', { language: 'en', subject: 'Paid', body: 'Thank you.' })
  const senders = { general: 'a@example.com', support: 'b@example.com' }
  await call('PUT', '/stores/1/emails/addresses.json', senders)
  return transaction(app.ctx, async (tx) => {
    const undone = await createImport(tx, app.demo, 'finished')
    const again = await createImport(tx, app.demo, 'finished')
    const left = { state: 'undone', added: 12, stayed: 3, file_name: 'older-shop.zip' } as const
    await tx.db.updateTable('imports').set(left).where('id', '=', again).execute()
    const canceled = await createImport(tx, app.demo, 'checked')
    const added = { added: 12, file_name: 'old-shop.zip' }
    await tx.db.updateTable('imports').set(added).where('id', '=', undone).execute()
    // One that waits with faults is begun again; this one has none.
    await tx.db.updateTable('imports').set({ bad: 0 }).where('id', '=', canceled).execute()
    return { undone, again, canceled }
  })
}

/** The address of a kind of mail, whose name stands beside it. */
const SENDER = /^(general|dont_reply|personal|personal_technical|personal_setup|support)$/

/** What is asked about the account, its stores, team, keys and imports. */
export async function questionsOfAccount(app: SellerApp, call: Calls): Promise<Questions> {
  const { undone, again, canceled } = await prepare(app, call)
  const told = Object.entries(await call('GET', '/stores/1/emails/addresses.json'))
  const senders = told.filter(([name, one]) => SENDER.test(name) && one !== null).length
  const { title: typed } = await call('GET', '/stores/1.json')
  const products = listOf(await call('GET', '/products.json'), 'plugins')
  const inStore = products.filter((one) => one.store_id === '1').length
  const on = listOf(await call('GET', 'webhooks.json'), 'webhooks').filter((one) => one.is_active).length
  const ofStore = [`“${typed}” goes`, `go with it: ${senders}.`, `Products that it has: ${inStore};`]
  const replace = 'Replace secret key'
  return {
    'pages/stores/DeleteStore.tsx texts.deleteStore': [
      question('/stores/1', 'Delete store', ofStore, { typed }),
    ],
    'pages/team/Team.tsx texts.removeMember': [
      question('/team', 'Remove: support Member', ['support Member (support@example.com, Support)'], {
        act: 'Remove from the team',
      }),
    ],
    'pages/tokens/Tokens.tsx texts.revokeToken': [
      question('/tokens', 'Revoke: Back office', ['last used: Never'], { act: 'Revoke token' }),
    ],
    'pages/keys/ReplaceKey.tsx words.replace': [
      question('settings', replace, [`Webhooks that are on: ${on}.`]),
      question('/stores/1', replace, [`asked for with it: ${inStore}.`]),
      question('/tokens', replace, [`asked for with it: ${products.length}.`]),
    ],
    'pages/webhooks/Rotate.tsx texts.rotateSecret': [
      question('webhooks/1', 'Make another secret', ['The one so far signs too until the hours are over']),
    ],
    'pages/mails/Editor.tsx words.reset': [
      question('mail-texts/receipt', 'Back to the built-in text', ['“Receipt” (English)']),
    ],
    'pages/imports/Deeds.tsx importTexts[`${asking}Title`]': [
      question(`/imports/${undone}`, 'Undo', ['What it has added (12)'], {
        typed: 'old-shop.zip',
        act: 'Undo the import',
      }),
      question(`/imports/${again}`, 'Undo', ['What undoing has left (3)'], {
        typed: 'older-shop.zip',
        act: 'Undo the import',
      }),
      question(`/imports/${canceled}`, 'Cancel', ['What was brought in already (0)'], {
        act: 'Cancel the import',
      }),
    ],
  }
}
