<?php
/**
 * Scripts, styles and configuration of a page with a chat.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** Loads the scripts on pages with a chat only. No script is inline, so that a page with a strict content security policy works. */
final class Assets {

	const ELEMENTS = 'ubik-chat-elements';
	const BUBBLE   = 'ubik-chat-bubble';
	const PLACE    = 'ubik-chat-place';

	/**
	 * Whether the page has a chat.
	 *
	 * @var bool
	 */
	private static $is_used = false;

	/** Registers scripts and styles. */
	public static function register() {
		add_action( 'init', array( self::class, 'register_files' ) );
		// Before the scripts of the footer, which are printed with the priority 20.
		add_action( 'wp_footer', array( self::class, 'print_config' ), 15 );
	}

	/** Registers the files of the plug-in. */
	public static function register_files() {
		wp_register_script( self::ELEMENTS, self::url( 'assets/elements/ubik-elements.min.js' ), array(), UBIK_CHAT_VERSION, true );
		wp_register_script( self::BUBBLE, self::url( 'assets/elements/ubik-bubble.min.js' ), array(), UBIK_CHAT_VERSION, true );
		wp_register_script( self::PLACE, self::url( 'assets/place-chats.js' ), array(), UBIK_CHAT_VERSION, true );
		wp_register_style( self::PLACE, self::url( 'assets/place-chats.css' ), array(), UBIK_CHAT_VERSION );
	}

	/**
	 * Loads what a chat needs. Call it before `print_config` (`wp_footer`, priority 15).
	 *
	 * @param string $layout Layout of the chat. A bubble loads the chat when the user is about to open it.
	 */
	public static function enqueue( $layout ) {
		self::$is_used = true;
		wp_enqueue_style( self::PLACE );
		wp_enqueue_script( self::PLACE );
		wp_enqueue_script( 'bubble' === $layout ? self::BUBBLE : self::ELEMENTS );
	}

	/** Prints the configuration: a data block, which is not executed. It contains nothing about the visitor. */
	public static function print_config() {
		if ( ! self::$is_used ) {
			return;
		}
		$settings = Settings::all();
		$text     = $settings['sign_in_text'];
		$config   = array(
			'baseUrl'      => $settings['service_url'],
			'agentId'      => $settings['agent_id'],
			'session'      => Routes::path( Routes::SESSION ),
			'token'        => Routes::path( Routes::TOKEN ),
			'signIn'       => wp_login_url(),
			'signInReturn' => 'redirect_to',
			'signInText'   => '' === $text ? __( 'Sign in to chat.', 'ubik-chat' ) : $text,
			'failedText'   => __( 'The chat is not available at the moment.', 'ubik-chat' ),
			'cookieText'   => __( 'The chat needs cookies. Allow them for this site, then reload the page.', 'ubik-chat' ),
		);
		printf(
			'<script type="application/json" class="ubik-chat-config">%s</script>' . "\n",
			// Without `<` and `&`, no value can end the element.
			wp_json_encode( $config, JSON_HEX_TAG | JSON_HEX_AMP ) // phpcs:ignore WordPress.Security.EscapeOutput.OutputNotEscaped -- JSON in a data block.
		);
	}

	/**
	 * The URL of a file of the plug-in.
	 *
	 * @param string $path From the folder of the plug-in.
	 * @return string
	 */
	public static function url( $path ) {
		return plugins_url( $path, UBIK_CHAT_FILE );
	}
}
