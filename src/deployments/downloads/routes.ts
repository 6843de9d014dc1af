import { DOWNLOADS_PATH, downloadByToken } from './download-version.ts'
import { downloadMailed, LATEST_DOWNLOAD_PATH } from './mailed-download.ts'
import type { FileOperation } from '../../http/other-replies.ts'
import { notFound } from '../../lib/errors.ts'

/** Archives for who has an address that was made for them; the name in it is for who keeps the file. */
export const downloadOperations: readonly FileOperation[] = [
  {
    reply: 'file',
    id: 'keywright/download-mailed',
    path: LATEST_DOWNLOAD_PATH,
    handle: (ctx, { query: { token } }) => downloadMailed(ctx, typeof token === 'string' ? token : ''),
  },
  {
    reply: 'file',
    id: 'keywright/download-by-token',
    path: `${DOWNLOADS_PATH}{id}/{name}`,
    async handle(ctx, { params: { id = '' }, query: { token } }) {
      const isId = /^[1-9][0-9]{0,15}$/.test(id)
      if (!isId || typeof token !== 'string') throw notFound('download')
      return downloadByToken(ctx, Number(id), token)
    },
  },
]
