import { hash } from 'node:crypto'
import type { ReadContext, TxContext } from '../../context.ts'
import type { Problems } from '../../http/decode.ts'
import type { UploadedFile } from '../../http/multipart-body.ts'
import type { Scope } from '../../http/scope.ts'
import { pictureProblem, pictureType } from '../../lib/picture.ts'
import { toUtcTime } from '../../lib/time.ts'
import { insertPicture } from './queries.ts'

/** Path under which pictures stand. */
export const PICTURES_PATH = '/pictures/'

/** Adds to `problems` what is wrong with an uploaded picture (CHECKS S31). */
export function checkPicture(field: string, file: UploadedFile | undefined, problems: Problems): void {
  const problem = file && pictureProblem(file.bytes)
  if (problem) problems.malformed.push({ field, message: problem })
}

/** Keeps a checked picture; returns its path on this server, which is what rows hold. */
export async function storePicture(ctx: TxContext, scope: Scope, { bytes }: UploadedFile): Promise<string> {
  const mediaType = pictureType(bytes)
  if (mediaType === null) throw new Error('The picture was not checked.')
  const sha256 = hash('sha256', bytes)
  await insertPicture(ctx.db, {
    product_id: scope.productId,
    sha256,
    media_type: mediaType,
    bytes,
    created: toUtcTime(ctx.clock.real()),
  })
  return `${PICTURES_PATH}${scope.productId}/${sha256}.${mediaType.slice('image/'.length)}`
}

/** The address of a picture on the wire: a path of ours is led to this server, others stay as they are. */
export const pictureUrl = <T extends string | null>({ baseUrl }: Pick<ReadContext, 'baseUrl'>, path: T): T =>
  (path?.startsWith(PICTURES_PATH) ? `${baseUrl}${path}` : path) as T
