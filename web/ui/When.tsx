import { createContext, useContext } from 'react'
import { exactTime, momentOf, timeText } from './time.ts'

/** Whether what is below stands in a row, which is focused as one. */
export const InRow = createContext(false)

/** A time in words, with what is to be known beside it on hover and focus; in a row, where that has the focus. */
export function Moment({
  time,
  text,
  more,
}: {
  readonly time: string
  readonly text: string
  readonly more: string
}) {
  const isInRow = useContext(InRow)
  return (
    <time
      dateTime={momentOf(time).toISOString()}
      title={more}
      data-exact={more}
      {...(!isInRow && { tabIndex: 0 })}
    >
      {text}
    </time>
  )
}

/** A time, relative while it is near; the exact one and UTC on hover and focus. Nothing is a dash. */
export function When({ time, language }: { readonly time: string | null; readonly language: string }) {
  if (time === null) return <>–</>
  return <Moment time={time} text={timeText(time, language)} more={exactTime(time, language)} />
}
