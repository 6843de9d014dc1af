/** The words of a command line, as a shell takes them apart; of a pipe those of its last part. */
export function wordsOf(line: string): string[] {
  const own = line.split(/ \| | > /).findLast((part) => part.startsWith('keywright')) ?? ''
  const words = [...own.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
  return words.map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}
