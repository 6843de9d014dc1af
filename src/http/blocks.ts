/** Bytes. */
const SMALL = 4_096
const BLOCK = 16_384

/**
 * The bytes of a body with small chunks copied together: a body may come a byte at a time, and each chunk costs hundreds. The
 * first one, in which the parts begin, waits for no other: the line may be slow.
 */
export async function* inBlocks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  let block = Buffer.alloc(0)
  let used = 0
  let isFirst = true
  for await (const chunk of source) {
    const isSmall = chunk.length < SMALL && !isFirst
    isFirst = false
    if (used > 0 && (!isSmall || used + chunk.length > BLOCK)) {
      yield block.subarray(0, used)
      used = 0
    }
    if (!isSmall) yield chunk
    else {
      if (used === 0) block = Buffer.allocUnsafeSlow(BLOCK)
      used += chunk.copy(block, used)
    }
  }
  if (used > 0) yield block.subarray(0, used)
}
