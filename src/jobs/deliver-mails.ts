import { join } from 'node:path'
import { quiet, type Context } from '../context.ts'
import { findDemo } from '../demo/find-demo.ts'
import { isMadeUp } from '../demo/people.ts'
import { noteMailStatus } from '../people/users/email-status.ts'
import { invoiceFile } from '../sales/invoices/file.ts'
import { Together } from '../work/together.ts'
import { deliverDueMails, type Office } from '../mail/deliver.ts'
import { systemScope } from '../access/scope.ts'
import { folderTransport } from '../mail/folder.ts'
import { anyDueMail, updateMail, type MailRow } from '../mail/mail-rows.ts'
import { smtpTransport } from '../mail/smtp.ts'
import type { QueueJob } from '../job.ts'

/** Delivers the outbox; what is for people whom the demo has invented goes into the folder. */
export const deliverMails: QueueJob = {
  kind: 'queue',
  name: 'deliver-mails',
  isDue: (ctx) => anyDueMail(ctx.db, ctx.clock.real()),
  async run(ctx, stopping) {
    const { dataDir, mail } = ctx.config
    const folder = folderTransport(join(dataDir, 'mail'))
    const transport = mail.smtp === null ? folder : smtpTransport(mail.smtp)
    const demo = await findDemo(ctx)
    const isForNobody = ({ developer_id: developerId, recipient }: MailRow) =>
      developerId === demo?.developerId && isMadeUp(recipient)
    try {
      return await deliverDueMails(officeOf(ctx), (row) => (isForNobody(row) ? folder : transport), stopping)
    } finally {
      transport.close()
    }
  },
}

/** What delivers, and notes on users what has become of their mail; mails that end at once share a commit. */
export function officeOf(ctx: Context): Office {
  const together = new Together(quiet(ctx))
  return {
    ...ctx,
    invoiceOf: ({ developer_id: developerId, product_id: productId }, paymentId) =>
      productId === null
        ? Promise.resolve(null)
        : invoiceFile(ctx, systemScope({ developerId, productId }), paymentId),
    settle: (row, to, status) =>
      together.run(async (tx) => {
        const isOurs = await updateMail(tx.db, row, to)
        if (isOurs && status !== null) await noteMailStatus(tx, row, status)
        return isOurs
      }),
  }
}
