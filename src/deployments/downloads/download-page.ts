import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { DOWNLOADS_PATH, downloadByToken } from './download-version.ts'
import { downloadMailed, LATEST_DOWNLOAD_PATH } from './mailed-download.ts'
import { readingContext } from '../../http/head.ts'
import { limitDownload } from '../../http/limit-callers.ts'
import { sendFile, type StoredDownload } from '../../http/send-file.ts'
import { notFound } from '../../lib/errors.ts'

type Wanted = FastifyRequest<{ Params: { id: string }; Querystring: { token?: unknown } }>

/** Serves archives to who has an address that was made for them; the name in it is for who keeps the file. */
export function mountDownloads(server: FastifyInstance, ctx: Context): void {
  server.get(LATEST_DOWNLOAD_PATH, async (request: Wanted, reply) => {
    const { token } = request.query
    const within = readingContext(request, ctx)
    await sendCounted(reply, await downloadMailed(within, typeof token === 'string' ? token : ''))
  })
  server.get(`${DOWNLOADS_PATH}:id/:name`, async ({ params: { id }, query: { token } }: Wanted, reply) => {
    const isId = /^[1-9][0-9]{0,15}$/.test(id)
    if (!isId || typeof token !== 'string') throw notFound('download')
    await sendCounted(reply, await downloadByToken(ctx, Number(id), token))
  })
}

async function sendCounted(reply: FastifyReply, file: StoredDownload): Promise<void> {
  const { request, server } = reply
  await limitDownload(server.frame, request, { ip: request.ip, ...file.of })
  await sendFile(reply, file)
}
