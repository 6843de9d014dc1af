import { Button } from '@mantine/core'
import { texts } from './texts.ts'
import { endUndo, useUndoable } from './undo.ts'

/** What was just done, with the way to take it back for ten seconds; it is read out when it comes. */
export function UndoBar() {
  const offered = useUndoable()
  return (
    <div role="status" className={offered ? 'panel undo' : 'unseen'}>
      {offered ? (
        <>
          <span>{offered.text}</span>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => {
              endUndo()
              offered.undo()
            }}
          >
            {texts.undo}
          </Button>
        </>
      ) : null}
    </div>
  )
}
