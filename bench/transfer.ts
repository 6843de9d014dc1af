import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { hashOf, uploadFile } from '../src/cli/deploy-upload.ts'
import { peerOptions, servePeer } from './processes.ts'

/** Downloads that run side by side, each of which is read to its end. */
export interface DownloadQuestion {
  readonly kind: 'download'
  readonly address: string
  readonly path: string
  readonly parallel: number
  /** How often each of them is done. */
  readonly times: number
}

/** A file that is sent as the command `deploy` sends it. */
export interface UploadQuestion {
  readonly kind: 'upload'
  /** Of the versions of a product, without `.json`. */
  readonly url: string
  readonly token: string
  readonly file: string
}

export interface Transfer {
  readonly bytes: number
  readonly seconds: number
}

peerOptions()
servePeer(async (question: DownloadQuestion | UploadQuestion): Promise<Transfer> => {
  const start = performance.now()
  const bytes = await (question.kind === 'download' ? download(question) : upload(question))
  return { bytes, seconds: (performance.now() - start) / 1000 }
})

async function download({ address, path, parallel, times }: DownloadQuestion): Promise<number> {
  const { host, hostname, port } = new URL(address)
  const one = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    let bytes = 0
    for (let time = 0; time < times; time++) bytes += await fetchOn(socket, host, path)
    socket.destroy()
    return bytes
  }
  const all = await Promise.all(Array.from({ length: parallel }, one))
  return all.reduce((sum, bytes) => sum + bytes, 0)
}

/** The bytes of one body, which are counted and not kept. */
function fetchOn(socket: Socket, host: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let expected = -1
    let received = 0
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (expected === -1) {
        const headEnd = chunk.indexOf('\r\n\r\n')
        const head = chunk.toString('latin1', 0, headEnd)
        if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head))
        expected = Number(/content-length: (\d+)/i.exec(head)?.[1])
        received -= headEnd + 4
      }
      if (received < expected) return
      socket.off('data', onData)
      resolve(received)
    }
    socket.on('data', onData).once('error', reject)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  })
}

async function upload({ url, token, file }: UploadQuestion): Promise<number> {
  const { sha256, size } = await hashOf(file)
  const { status, json } = await uploadFile({ url, token }, { file, sha256, size, data: {} }, () => {})
  if (status !== 200) throw new Error(JSON.stringify(json))
  return size
}
