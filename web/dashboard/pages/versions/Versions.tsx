import { Button } from '@mantine/core'
import type { Deployment } from '../../../../src/deployments/versions/schema.ts'
import { Allowed } from '../../Allowed.tsx'
import { List } from '../../lists/List.tsx'
import { useCreating } from '../../creating.ts'
import { usePlace } from '../../place.ts'
import { texts } from '../../texts/texts.ts'
import { VERSION_COLUMNS } from './columns.tsx'
import { UploadVersion } from './UploadVersion.tsx'

export function Versions() {
  const { path, wayTo } = usePlace()
  const [isUploading, setUploading] = useCreating('deployments')
  return (
    <>
      <List<Deployment>
        title={texts.versions}
        about={texts.versionsAbout}
        create={
          <Allowed group="deployments">
            {(barred) => (
              <Button {...barred} onClick={() => setUploading(true)}>
                {texts.uploadVersion}
              </Button>
            )}
          </Allowed>
        }
        path={`${path}/tags.json`}
        items="tags"
        columns={VERSION_COLUMNS}
        wayTo={({ id }) => wayTo('deployment', id)}
        making={{ file: 'my-product.zip', body: {} }}
        empty={[texts.noVersions, texts.noVersionsMore]}
      />
      {isUploading ? <UploadVersion close={() => setUploading(false)} /> : null}
    </>
  )
}
