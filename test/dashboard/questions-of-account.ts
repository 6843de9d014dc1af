import { transaction } from '../../src/context.ts'
import { createImport } from '../wholes.ts'
import type { Calls, Questions, Row } from './asking.ts'
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
    const canceled = await createImport(tx, app.demo, 'checked')
    const added = { added: 12, file_name: 'old-shop.zip' }
    await tx.db.updateTable('imports').set(added).where('id', '=', undone).execute()
    // One that waits with faults is begun again; this one has none.
    await tx.db.updateTable('imports').set({ bad: 0 }).where('id', '=', canceled).execute()
    return { undone, canceled }
  })
}

/** The address of a kind of mail, whose name stands beside it. */
const SENDER = /^(general|dont_reply|personal|personal_technical|personal_setup|support)$/

/** What is asked about the account, its stores, team, keys and imports. */
export async function questionsOfAccount(app: SellerApp, call: Calls): Promise<Questions> {
  const { undone, canceled } = await prepare(app, call)
  const told = Object.entries(await call('GET', '/stores/1/emails/addresses.json'))
  const senders = told.filter(([name, one]) => SENDER.test(name) && one !== null).length
  const store = await call('GET', '/stores/1.json')
  const { plugins } = await call('GET', '/products.json')
  const inStore = plugins.filter((one: Row) => String(one['store_id']) === '1').length
  const { webhooks } = await call('GET', 'webhooks.json')
  const on = webhooks.filter((one: Row) => one['is_active']).length
  const replace = 'Replace secret key'
  return {
    'pages/stores/DeleteStore.tsx texts.deleteStore': [
      {
        path: '/stores/1',
        by: 'Delete store',
        says: [`“${store['title']}” goes`, `go with it: ${senders}.`, `Products that it has: ${inStore};`],
        typed: store['title'],
        act: 'Delete store',
      },
    ],
    'pages/team/Team.tsx texts.removeMember': [
      {
        path: '/team',
        by: 'Remove: support Member',
        says: ['support Member (support@example.com, Support)'],
        act: 'Remove from the team',
      },
    ],
    'pages/tokens/Tokens.tsx texts.revokeToken': [
      { path: '/tokens', by: 'Revoke: Back office', says: ['last used: Never'], act: 'Revoke token' },
    ],
    'pages/keys/ReplaceKey.tsx words.replace': [
      { path: 'settings', by: replace, says: [`Webhooks that are on: ${on}.`], act: replace },
      { path: '/stores/1', by: replace, says: [`asked for with it: ${inStore}.`], act: replace },
      { path: '/tokens', by: replace, says: [`asked for with it: ${plugins.length}.`], act: replace },
    ],
    'pages/webhooks/Rotate.tsx texts.rotateSecret': [
      {
        path: 'webhooks/1',
        by: 'Make another secret',
        says: ['The one so far signs too until the hours are over'],
        act: 'Make another secret',
      },
    ],
    'pages/mails/Editor.tsx words.reset': [
      {
        path: 'mail-texts/receipt',
        by: 'Back to the built-in text',
        says: ['“Receipt” (English)'],
        act: 'Back to the built-in text',
      },
    ],
    'pages/imports/Deeds.tsx importTexts[`${asking}Title`]': [
      {
        path: `/imports/${undone}`,
        by: 'Undo',
        says: ['What it has added (12)'],
        typed: 'old-shop.zip',
        act: 'Undo the import',
      },
      {
        path: `/imports/${canceled}`,
        by: 'Cancel',
        says: ['What was brought in already (0)'],
        act: 'Cancel the import',
      },
    ],
  }
}
