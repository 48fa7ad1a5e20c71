<?php
/**
 * The block.
 *
 * @package UbikChat
 */

namespace UbikChat;

defined( 'ABSPATH' ) || exit;

/** A dynamic block: its HTML is rendered with each request, so that a change of the settings reaches every page. */
final class Block {

	const SCRIPT = 'ubik-chat-block';

	/** Adds the block. */
	public static function register() {
		add_action( 'init', array( self::class, 'register_block' ) );
	}

	/** Registers the block and its editor. */
	public static function register_block() {
		$dependencies = array( 'wp-blocks', 'wp-block-editor', 'wp-components', 'wp-element', 'wp-i18n', 'wp-url' );
		wp_register_script( self::SCRIPT, Assets::url( 'block/block.js' ), $dependencies, UBIK_CHAT_VERSION, true );
		wp_set_script_translations( self::SCRIPT, 'ubik-chat', plugin_dir_path( UBIK_CHAT_FILE ) . 'languages' );
		wp_add_inline_script( self::SCRIPT, 'window.ubikChatPreview = ' . wp_json_encode( Preview::url() ) . ';', 'before' );
		register_block_type( plugin_dir_path( UBIK_CHAT_FILE ) . 'block', array( 'render_callback' => array( self::class, 'render' ) ) );
	}

	/**
	 * Renders the block.
	 *
	 * @param array<string, mixed> $attributes Validated by their schema in `block.json`.
	 * @return string HTML.
	 */
	public static function render( $attributes ) {
		return Place::render( $attributes, get_block_wrapper_attributes( array( 'class' => 'ubik-chat-place' ) ) );
	}
}
