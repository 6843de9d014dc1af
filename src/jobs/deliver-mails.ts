import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { noteMailStatus } from '../flows/email-status.ts'
import { deliverDueMails, type Office, type Transport } from '../mail/deliver.ts'
import { folderTransport } from '../mail/folder.ts'
import { anyDueMail } from '../mail/queries.ts'
import { smtpTransport } from '../mail/smtp.ts'
import type { QueueJob } from './job.ts'

/** Delivers the outbox. */
export const deliverMails: QueueJob = {
  kind: 'queue',
  name: 'deliver-mails',
  isDue: (ctx) => anyDueMail(ctx.db, ctx.clock.real()),
  async run(ctx, stopping) {
    const transport = transportOf(ctx.config)
    try {
      return await deliverDueMails(officeOf(ctx), transport, stopping)
    } finally {
      transport.close()
    }
  },
}

/** What delivers, and notes on users what has become of their mail. */
export function officeOf(ctx: Context): Office {
  const { clock, config, keys, log, baseUrl, passwordCost, database } = ctx
  const shared = { clock, config, keys, log, baseUrl, passwordCost }
  return {
    ...shared,
    database,
    noteStatus: (db, mail, status) => noteMailStatus({ ...shared, db, atEnd: nothingLeft }, mail, status),
  }
}

/** What becomes of a mail has nothing that waits for the end. */
const nothingLeft = () => {
  throw new Error('Nothing is left to the end here.')
}

const transportOf = ({ dataDir, mail: { smtp } }: Config): Transport =>
  smtp === null ? folderTransport(join(dataDir, 'mail')) : smtpTransport(smtp)
