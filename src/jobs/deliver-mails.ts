import { join } from 'node:path'
import type { Config } from '../config.ts'
import { deliverDueMails, type Transport } from '../mail/deliver.ts'
import { folderTransport } from '../mail/folder.ts'
import { anyDueMail } from '../mail/queries.ts'
import type { QueueJob } from './job.ts'

/** Delivers the outbox. */
export const deliverMails: QueueJob = {
  kind: 'queue',
  name: 'deliver-mails',
  isDue: (ctx) => anyDueMail(ctx.db, ctx.clock.real()),
  run: (ctx, stopping) => deliverDueMails(ctx, transportOf(ctx.config), stopping),
}

const transportOf = ({ dataDir }: Config): Transport => folderTransport(join(dataDir, 'mail'))
