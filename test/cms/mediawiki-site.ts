import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../e2e/demo-process.js';
import { runProgram, startProgram, type RunningProgram } from './processes.js';

/** The MediaWiki of the Debian package. */
const SOURCE = '/usr/share/mediawiki';

/** The administrator of the wiki. */
export const ADMIN = { name: 'Admin', password: 'correct-horse-battery-staple' };

/** A MediaWiki with its own database and server, with the extension. */
export interface MediaWikiSite {
  /** Without a slash at its end. */
  readonly url: string;
  /** A second server of the same database, as behind a load balancer. */
  readonly replicaUrl: string;
  /** Adds a page and returns its path. */
  addPage(title: string, text: string): Promise<string>;
  /** Returns the value of a PHP expression. */
  evaluate(expression: string): Promise<unknown>;
  /** Creates a user. */
  addUser(name: string, password: string): Promise<void>;
  /** Replaces the settings of the extension. `php` is code that is appended to them, for settings of the wiki. */
  configure(settings: Readonly<Record<string, unknown>>, php?: string): Promise<void>;
  /** What PHP has logged. */
  readLog(): Promise<string>;
  close(): Promise<void>;
}

/** Installs MediaWiki with SQLite in a temporary folder, adds the extension in a zip file, and starts two PHP servers. */
export async function startMediaWiki(port: number, zip: string): Promise<MediaWikiSite> {
  const folder = await mkdtemp(join(tmpdir(), 'ubik-mw-'));
  const url = `http://127.0.0.1:${String(port)}`;
  const replicaPort = await findFreePort();
  const settings = join(folder, 'ubik-chat.php');
  const local = join(folder, 'LocalSettings.php');
  const log = join(folder, 'php.log');
  await mkdir(join(folder, 'data'));
  await runProgram('php', [
    join(SOURCE, 'maintenance/install.php'),
    `--confpath=${folder}`,
    '--dbtype=sqlite',
    `--dbpath=${join(folder, 'data')}`,
    `--server=${url}`,
    '--scriptpath=',
    `--pass=${ADMIN.password}`,
    'Rivers',
    ADMIN.name,
  ]);
  await runProgram('unzip', ['-q', zip, '-d', join(folder, 'extensions')]);
  await writeFile(settings, '<?php\n');
  await appendFile(
    local,
    `\nwfLoadExtension( 'UbikChat', ${JSON.stringify(join(folder, 'extensions/UbikChat/extension.json'))} );\nrequire ${JSON.stringify(settings)};\n`,
  );
  await writeFile(join(folder, 'router.php'), printRouter(folder));
  const env = { MW_CONFIG_FILE: local, PHP_CLI_SERVER_WORKERS: '4' };
  const programs: RunningProgram[] = [];
  for (const each of [port, replicaPort]) {
    programs.push(
      await startProgram(
        'php',
        [
          // The cache of compiled files would use the settings of earlier tests for some seconds.
          ...[
            '-d',
            'opcache.enable=0',
            '-d',
            'log_errors=1',
            '-d',
            `error_log=${log}`,
            '-d',
            'error_reporting=E_ALL',
          ],
          ...['-S', `127.0.0.1:${String(each)}`, '-t', SOURCE, join(folder, 'router.php')],
        ],
        /Development Server .* started/,
        env,
      ),
    );
  }
  return {
    url,
    replicaUrl: `http://127.0.0.1:${String(replicaPort)}`,
    addPage: async (title, text) => {
      await writeFile(join(folder, 'page.txt'), text);
      await runProgram(
        'sh',
        [
          '-c',
          `php "$0" --user Admin "$1" < "$2"`,
          join(SOURCE, 'maintenance/edit.php'),
          title,
          join(folder, 'page.txt'),
        ],
        env,
      );
      return `/index.php/${title}`;
    },
    evaluate: async (expression) => {
      await writeFile(join(folder, 'code.php'), `return json_encode( ${expression} )`);
      const script = join(SOURCE, 'maintenance/eval.php');
      const args = ['-c', 'php "$0" < "$1"', script, join(folder, 'code.php')];
      return JSON.parse(await runProgram('sh', args, env)) as unknown;
    },
    addUser: async (name, password) => {
      const script = join(SOURCE, 'maintenance/createAndPromote.php');
      await runProgram('php', [script, name, password], env);
    },
    configure: async (values, php = '') => {
      const lines = Object.entries(values).map(
        ([name, value]) => `$wgUbikChat${name} = ${JSON.stringify(value)};`,
      );
      await writeFile(settings, `<?php\n${lines.join('\n')}\n${php}\n`);
    },
    readLog: () => readFile(log, 'utf8').catch(() => ''),
    close: async () => {
      for (const each of programs) await each.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The extension is not in the folder of the package: this script of the PHP server serves its files. */
function printRouter(folder: string): string {
  return `<?php
$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
$file = realpath( ${JSON.stringify(folder)} . $path );
if ( strpos( $path, '/extensions/UbikChat/' ) !== 0 || $file === false ) { return false; }
$types = [ 'js' => 'text/javascript', 'css' => 'text/css' ];
header( 'Content-Type: ' . ( $types[ pathinfo( $file, PATHINFO_EXTENSION ) ] ?? 'text/plain' ) );
readfile( $file );
`;
}
