import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { Writable } from 'node:stream'
import { Failure } from './failure.ts'

/** All of standard input without the end of its last line. */
export const fromPipe = async (): Promise<string> => (await text(process.stdin)).replace(/\r?\n$/, '')

/** Asks on the terminal; `unseen`: what is typed is not shown. */
export async function askPerson(question: string, unseen = false): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (unseen) process.stderr.write(question)
  const output = unseen ? nowhere : process.stderr
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  try {
    return await new Promise((resolve, reject) => {
      const cancel = () => reject(new Failure('cancelled', 'Cancelled: nothing was changed.'))
      const endLine = () => process.stderr.write(unseen ? '' : '\n')
      lines.once('SIGINT', endLine).once('SIGINT', cancel).once('close', cancel)
      lines.question(unseen ? '' : question).then(resolve, reject)
    })
  } finally {
    if (unseen) process.stderr.write('\n')
    lines.close()
  }
}
