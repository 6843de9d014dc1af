/** The head of a PNG of this size, which is all that is looked at. */
export function png(width: number, height: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  return Buffer.concat([head, size, Buffer.from('0806000000', 'hex'), Buffer.alloc(8)])
}

/** A multipart body as the PHP client sends it: bare line feeds, all arguments in `data`, no last line end. */
export function multipart(data: object | null, files: Record<string, Buffer>, lineEnd = '\n') {
  const boundary = '----5f2b'
  const parts = [
    ...(data ? [part(`name="data"`, Buffer.from(JSON.stringify(data)), lineEnd)] : []),
    ...Object.entries(files).map(([name, bytes]) =>
      part(`name="${name}"; filename="${name}.png"`, bytes, lineEnd),
    ),
  ]
  const body = Buffer.concat([
    ...parts.flatMap((bytes) => [Buffer.from(`--${boundary}${lineEnd}`), bytes]),
    Buffer.from(`--${boundary}--`),
  ])
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

const part = (disposition: string, bytes: Buffer, lineEnd: string) =>
  Buffer.concat([
    Buffer.from(`Content-Disposition: form-data; ${disposition}${lineEnd}${lineEnd}`),
    bytes,
    Buffer.from(lineEnd),
  ])
