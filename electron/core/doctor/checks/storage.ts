import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { archiveImage, baseImageCandidates, hostArchive } from '../../images/base-image.ts'
import { inspectImages } from '../../engine/images.ts'
import { fail, type HealthCheck, ok, warn } from '../health.ts'

const gib = 1024 ** 3
/** The bundled base and default images and their re-owned copies. */
const comfortableBytes = 10 * gib
const neededBytes = 2 * gib

/** Room for the bundled images where Podman keeps them. */
export const checkDisk: HealthCheck = async ({ info, paths }) => {
  const folder = info?.store.graphRoot ?? paths.home
  const { bavail, bsize } = await statfs(folder)
  const found = `${(bavail * bsize / gib).toFixed(0)} GiB free in ${folder}`
  const fix = '"paddock prune" and "podman image prune" free space.'
  if (bavail * bsize < neededBytes) return fail('Disk', found, fix)
  return bavail * bsize < comfortableBytes ? warn('Disk', found, fix) : ok('Disk', found)
}

/** Podman’s socket, which the command does without. */
export const checkSocket: HealthCheck = ({ info }) => {
  const path = info?.host.remoteSocket?.path.replace(/^unix:\/\//, '')
  if (path && existsSync(path)) return ok('Socket', path)
  return ok('Socket', 'not running; the command does not need it')
}

/** A base image is there, or how the first build gets one. */
export const checkBaseImage: HealthCheck = async ({ podman, info, settings }) => {
  if (info === null) return fail('Base image', 'unknown without Podman', 'See above.')
  const archive = await hostArchive()
  const candidates = baseImageCandidates(settings.baseImage, archive)
  const found = await inspectImages(podman, candidates)
  const first = candidates.find((reference) => found.has(reference))
  if (first !== undefined) return ok('Base image', `${first}${archive && first === archiveImage(archive) ? ', made from this host’s archive' : ''}`)
  return ok('Base image', `${candidates[0]} is pulled${archive && settings.baseImage === undefined ? ', or made from this host’s archive,' : ''} at the first build`)
}
