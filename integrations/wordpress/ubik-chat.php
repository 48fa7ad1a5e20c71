<?php
/**
 * Plugin Name:       UBIK Chat
 * Description:       A chat with an AI agent, as a block, a shortcode, a widget or a button on every page. The API key stays on your server.
 * Version:           0.1.0
 * Requires at least: 6.1
 * Requires PHP:      7.4
 * Author:            The authors of ubik-elements
 * License:           MIT
 * License URI:       https://opensource.org/license/mit
 * Text Domain:       ubik-chat
 * Domain Path:       /languages
 *
 * @package UbikChat
 */

defined( 'ABSPATH' ) || exit;

define( 'UBIK_CHAT_VERSION', '0.1.0' );
define( 'UBIK_CHAT_FILE', __FILE__ );

require_once __DIR__ . '/includes/class-settings.php';
require_once __DIR__ . '/includes/class-visitor.php';
require_once __DIR__ . '/includes/class-rate-limit.php';
require_once __DIR__ . '/includes/class-service.php';
require_once __DIR__ . '/includes/class-routes.php';
require_once __DIR__ . '/includes/class-assets.php';
require_once __DIR__ . '/includes/class-place.php';
require_once __DIR__ . '/includes/class-block.php';
require_once __DIR__ . '/includes/class-preview.php';
require_once __DIR__ . '/includes/class-widget.php';
require_once __DIR__ . '/includes/class-site-chat.php';
require_once __DIR__ . '/includes/class-settings-page.php';

add_action(
	'init',
	static function () {
		load_plugin_textdomain( 'ubik-chat', false, dirname( plugin_basename( __FILE__ ) ) . '/languages' );
	},
	// Before the widgets are registered, with the priority 1.
	0
);

UbikChat\Routes::register();
UbikChat\Assets::register();
UbikChat\Place::register();
UbikChat\Block::register();
UbikChat\Preview::register();
UbikChat\Widget::register();
UbikChat\Site_Chat::register();
UbikChat\Settings_Page::register();
