import { exactTime, momentOf, timeText } from './time.ts'

/** A time, relative while it is near; the exact one and UTC on hover. Nothing is a dash. */
export function When({ time, language }: { readonly time: string | null; readonly language: string }) {
  if (time === null) return <>–</>
  return (
    <time dateTime={momentOf(time).toISOString()} title={exactTime(time, { language })}>
      {timeText(time, { language })}
    </time>
  )
}
