import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { respond } from '../../http/respond.ts'
import { notFound } from '../../lib/errors.ts'
import { findPicture } from './queries.ts'
import { PICTURES_PATH } from './schema.ts'

type Wanted = FastifyRequest<{ Params: { product: string; file: string } }>

/** Serves pictures, which never change under their address. */
export function mountPictures(server: FastifyInstance, ctx: Context): void {
  server.get(`${PICTURES_PATH}:product/:file`, async ({ params }: Wanted, reply) => {
    const [, sha256] = /^([0-9a-f]{64})\.(?:png|jpeg|gif)$/.exec(params.file) ?? []
    const isId = /^[1-9][0-9]{0,15}$/.test(params.product)
    const picture = sha256 && isId ? await findPicture(ctx.db, Number(params.product), sha256) : undefined
    if (!picture) throw notFound('picture')
    respond(reply, 200, Buffer.from(picture.bytes), {
      'content-type': picture.media_type,
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })
}
