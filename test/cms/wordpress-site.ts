import { mkdtemp, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../e2e/demo-process.js';
import { runProgram, startProgram, type RunningProgram } from './processes.js';

/** The WordPress of the Debian package. */
const SOURCE = '/usr/share/wordpress';

/** The administrator of the site. */
export const ADMIN = { name: 'admin', password: 'correct-horse-battery' };

/** A WordPress with its own database, files and server. */
export interface WordPressSite {
  /** Without a slash at its end. */
  readonly url: string;
  /** A second server of the same files and database, as behind a load balancer, whose PHP does not buffer its output. */
  readonly replicaUrl: string;
  /** Runs statements of PHP in WordPress, where `$data` is the given value, and returns the value of the last expression. */
  evaluate<T>(code: string, data?: unknown): Promise<T>;
  /** Adds a published page and returns its path. */
  addPage(slug: string, content: string): Promise<string>;
  /** Changes settings of the plug-in. */
  configure(settings: Readonly<Record<string, unknown>>): Promise<void>;
  /** What PHP and WordPress have logged. */
  readLog(): Promise<string>;
  close(): Promise<void>;
}

/** Starts MariaDB and two PHP servers in a temporary folder, and installs WordPress. */
export async function startWordPress(port: number): Promise<WordPressSite> {
  // The path of a socket is limited to 107 bytes.
  const folder = await mkdtemp(join(tmpdir(), 'ubik-wp-'));
  const site = join(folder, 'site');
  const log = join(folder, 'debug.log');
  const url = `http://127.0.0.1:${String(port)}`;
  const replicaPort = await findFreePort();
  const programs: RunningProgram[] = [];
  await runProgram('cp', ['-rL', SOURCE, site]);
  await rm(join(site, 'wp-config.php'), { force: true });
  const { socket, program } = await startDatabase(folder);
  programs.push(program);
  await writeFile(join(site, 'wp-config.php'), printConfig(socket, log));
  await mkdir(join(site, 'wp-content/mu-plugins'), { recursive: true });
  await writeFile(join(site, 'wp-content/mu-plugins/policy.php'), POLICY_PLUGIN);
  await writeFile(join(folder, 'install.php'), printInstallation(site, url));
  await runProgram('php', [join(folder, 'install.php')]);
  programs.push(await startPhp(site, port));
  // Without `php.ini`, as in container images, PHP does not buffer the output.
  programs.push(await startPhp(site, replicaPort, ['-d', 'output_buffering=0']));
  const evaluate = async <T>(code: string, data: unknown = null): Promise<T> => {
    const file = join(folder, 'evaluate.php');
    const [, before = '', last = ''] = /^(.*;)?([^;]+)$/s.exec(code.trim()) ?? [];
    await writeFile(join(folder, 'data.json'), JSON.stringify(data));
    await writeFile(
      file,
      `<?php $data = json_decode( file_get_contents( __DIR__ . '/data.json' ), true ); require ${quote(join(site, 'wp-load.php'))}; ${before} echo "\\n@@", json_encode( ${last} );`,
    );
    return JSON.parse((await runProgram('php', [file])).split('\n@@').at(-1) ?? '') as T;
  };
  return {
    url,
    replicaUrl: `http://127.0.0.1:${String(replicaPort)}`,
    evaluate,
    addPage: async (slug, content) => {
      const post = { post_type: 'page', post_status: 'publish', post_name: slug, post_title: slug };
      await evaluate('wp_insert_post( wp_slash( $data ) )', { ...post, post_content: content });
      return `/${slug}/`;
    },
    configure: async (settings) => {
      await evaluate(
        `update_option( 'ubik_chat_settings', array_merge( get_option( 'ubik_chat_settings', array() ), $data ) )`,
        settings,
      );
    },
    readLog: () => readFile(log, 'utf8').catch(() => ''),
    close: async () => {
      for (const each of programs.reverse()) await each.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends the content security policy that the query of a page names. */
const POLICY_PLUGIN = `<?php
add_action( 'send_headers', static function () {
	if ( isset( $_GET['policy'] ) ) { header( 'Content-Security-Policy: ' . wp_unslash( $_GET['policy'] ) ); }
} );
`;

/** A string literal of PHP. */
function quote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}

async function startDatabase(
  folder: string,
): Promise<{ readonly socket: string; readonly program: RunningProgram }> {
  const data = join(folder, 'db');
  const socket = join(data, 'my.sock');
  await mkdir(data);
  // The server refuses to run as root.
  const user = process.getuid?.() === 0 ? ['--user=mysql'] : [];
  if (user.length > 0) {
    await runProgram('chown', ['mysql:mysql', data]);
    await runProgram('chmod', ['755', folder]);
  }
  await runProgram('mariadb-install-db', [
    '--no-defaults',
    ...user,
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
  const program = await startProgram(
    'mariadbd',
    ['--no-defaults', ...user, `--datadir=${data}`, `--socket=${socket}`, '--skip-networking'],
    /ready for connections/,
  );
  await runProgram('mariadb', [
    ...['--no-defaults', '-S', socket, '-uroot', '-e'],
    "create database wp character set utf8mb4; create user wp@localhost identified by 'wp'; grant all on wp.* to wp@localhost",
  ]);
  return { socket, program };
}

function startPhp(
  site: string,
  port: number,
  options: readonly string[] = [],
): Promise<RunningProgram> {
  return startProgram(
    'php',
    // The cache of compiled files would miss changes of the constants for two seconds.
    ['-d', 'opcache.enable=0', ...options, '-S', `127.0.0.1:${String(port)}`, '-t', site],
    /Development Server .* started/,
    { PHP_CLI_SERVER_WORKERS: '4' },
  );
}

function printConfig(socket: string, log: string): string {
  const constants = {
    DB_NAME: 'wp',
    DB_USER: 'wp',
    DB_PASSWORD: 'wp',
    DB_HOST: `localhost:${socket}`,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    AUTH_KEY: 'one',
    SECURE_AUTH_KEY: 'two',
    LOGGED_IN_KEY: 'three',
    NONCE_KEY: 'four',
    AUTH_SALT: 'five',
    SECURE_AUTH_SALT: 'six',
    LOGGED_IN_SALT: 'seven',
    NONCE_SALT: 'eight',
    WP_HTTP_BLOCK_EXTERNAL: true,
    WP_ACCESSIBLE_HOSTS: '127.0.0.1',
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    FS_METHOD: 'direct',
    WP_DEBUG: true,
    WP_DEBUG_LOG: log,
    WP_DEBUG_DISPLAY: false,
  };
  const lines = Object.entries(constants).map(
    ([name, value]) =>
      `define( '${name}', ${typeof value === 'string' ? quote(value) : String(value)} );`,
  );
  return `<?php
${lines.join('\n')}
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) { define( 'ABSPATH', __DIR__ . '/' ); }
require_once ABSPATH . 'wp-settings.php';
`;
}

function printInstallation(site: string, url: string): string {
  return `<?php
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST'] = ${quote(new URL(url).host)};
require ${quote(join(site, 'wp-load.php'))};
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install( 'Rivers', ${quote(ADMIN.name)}, 'admin@example.test', true, '', ${quote(ADMIN.password)} );
update_option( 'siteurl', ${quote(url)} );
update_option( 'home', ${quote(url)} );
update_option( 'permalink_structure', '/%postname%/' );
// The editor shows a guide at the first visit.
update_user_meta( 1, 'wp_persisted_preferences', array( 'core/edit-post' => array( 'welcomeGuide' => false ), '_modified' => '2026-01-01T00:00:00.000Z' ) );
`;
}
