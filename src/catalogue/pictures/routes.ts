import { withHeaders } from '../../http/answer.ts'
import type { FileOperation } from '../../http/other-replies.ts'
import { notFound } from '../../lib/errors.ts'
import { findPicture } from './queries.ts'
import { PICTURES_PATH } from '../../lib/pictures.ts'

/** Serves pictures, which never change under their address. */
export const pictureOperation: FileOperation = {
  reply: 'file',
  id: 'keywright/picture',
  path: `${PICTURES_PATH}{product}/{file}`,
  async handle(ctx, { params: { product = '', file = '' } }) {
    const [, sha256] = /^([0-9a-f]{64})\.(?:png|jpeg|gif)$/.exec(file) ?? []
    const isId = /^[1-9][0-9]{0,15}$/.test(product)
    const picture = sha256 && isId ? await findPicture(ctx.db, Number(product), sha256) : undefined
    if (!picture) throw notFound('picture')
    return withHeaders(Buffer.from(picture.bytes), {
      'content-type': picture.media_type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
  },
}
